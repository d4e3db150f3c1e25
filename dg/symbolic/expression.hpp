#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

/// Scalar expressions as an immutable syntax tree: the language in which equations, boundary conditions, sources and
/// the expressions of a config are written. Two readers: `Program::run` interprets, the kernel generator prints code.
namespace maxwell_dg::dg::symbolic {

enum class Op : std::uint8_t {
  constant,
  symbol,
  add,
  subtract,
  multiply,
  divide,
  negate,
  pow,
  min,
  max,
  atan2,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
};

/// `_m` is this element's side of a face, `_p` the other side. Volume terms only know `inside`.
enum class Side : std::uint8_t { inside, outside };

/// A symbol of physics: what an equation, a boundary condition, a source or a term is written in.
struct Symbol {
  enum class Kind : std::uint8_t {
    field,       ///< [index] of `side`
    derivative,  ///< d field[index] / d x_axis
    curl,        ///< component `axis` of the curl of the vector whose first field is `index`
    divergence,  ///< of the vector whose first field is `index`
    normal,      ///< component `axis`
    parameter,   ///< [index] of `side`
    coordinate,  ///< x, y or z: `axis`
    time,
    profile  ///< [index]
  };
  Kind kind{};
  int index{};
  int axis{};  ///< 0, 1, 2 = x, y, z
  Side side{Side::inside};
  auto operator<=>(const Symbol&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
};

/// A symbol that only arises when an equation is lowered to the reference element (dg/lowering). Lowered expressions
/// hold these beside fields, normal, coordinates, time and profiles.
struct LoweredSymbol {
  enum class Kind : std::uint8_t {
    element_constant,      ///< [number] of `side`: LoweredSystem::constants; of a term, LoweredTerm::constants
    reference_derivative,  ///< d `field` / d r, s or t by `axis`
    metric,                ///< [number] of metric_values (dg/lowering/affine_map.hpp)
    face_scale,            ///< Fscale
    contraction,           ///< [number] ContractedSystem::contractions, behind them Lifting::sums
    invariant,             ///< [number] ContractedSystem::element_invariants, in fluxes face_invariants
    edges                  ///< [number] see edges() (dg/lowering/affine_map.hpp)
  };
  Kind kind{};
  int number{};
  int field{};
  int axis{};  ///< 0, 1, 2 = r, s, t
  Side side{Side::inside};
  auto operator<=>(const LoweredSymbol&) const = default;  // NOLINT(modernize-use-nullptr): as above
};

using AnySymbol = std::variant<Symbol, LoweredSymbol>;

/// The symbol if it is of this kind, else null.
[[nodiscard]] inline const Symbol* of_kind(const AnySymbol& symbol, Symbol::Kind kind) {
  const auto* s = std::get_if<Symbol>(&symbol);
  return s != nullptr && s->kind == kind ? s : nullptr;
}
[[nodiscard]] inline const LoweredSymbol* of_kind(const AnySymbol& symbol, LoweredSymbol::Kind kind) {
  const auto* s = std::get_if<LoweredSymbol>(&symbol);
  return s != nullptr && s->kind == kind ? s : nullptr;
}

struct Node;

/// A handle to a node of the tree; copying is cheap. Arithmetic simplifies: constants fold, x*1, x+0 and x*0 vanish.
class Expr {
 public:
  Expr(double value = 0.0);  // NOLINT(google-explicit-constructor): numbers are expressions
  explicit Expr(const AnySymbol& symbol);
  Expr(Op op, std::vector<Expr> arguments);

  [[nodiscard]] Op op() const;
  [[nodiscard]] double value() const;             ///< of a constant
  [[nodiscard]] const AnySymbol& symbol() const;  ///< of a symbol
  [[nodiscard]] const std::vector<Expr>& arguments() const;
  [[nodiscard]] bool is_constant(double value) const;
  [[nodiscard]] const Node* id() const { return node_.get(); }

 private:
  std::shared_ptr<const Node> node_;
};

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
Expr pow(const Expr& a, const Expr& b);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr atan2(const Expr& y, const Expr& x);
/// sin ... abs by their Op.
Expr apply(Op function, const Expr& a);
inline Expr sin(const Expr& a) {
  return apply(Op::sin, a);
}
inline Expr cos(const Expr& a) {
  return apply(Op::cos, a);
}
inline Expr exp(const Expr& a) {
  return apply(Op::exp, a);
}
inline Expr sqrt(const Expr& a) {
  return apply(Op::sqrt, a);
}
inline Expr abs(const Expr& a) {
  return apply(Op::abs, a);
}

/// x, y or z of a node; and the time.
[[nodiscard]] Expr coordinate(int axis);
[[nodiscard]] Expr time();

/// The value of an expression of coordinates and time alone. Throws std::logic_error on any other symbol.
[[nodiscard]] double evaluate(const Expr& expression, const std::array<double, 3>& x, double t);

/// Every function that expressions know, by the name a config and the generated code use: "sin", "atan2" ...
struct Function {
  std::string name;
  Op op;
  int arity;
};
[[nodiscard]] const std::vector<Function>& functions();

}  // namespace maxwell_dg::dg::symbolic
