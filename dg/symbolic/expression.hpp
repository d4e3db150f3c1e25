#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

/// Scalar expressions as immutable syntax trees. Equations, boundary conditions, sources and the expressions of a
/// config are such trees. Program::run interprets them, and generators of kernels print them as code.
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

/// The side of a face: `inside` (minus, q_m) is the element itself, `outside` (plus, q_p) its neighbour or the boundary
/// condition. Symbols of volume terms are `inside`.
enum class Side : std::uint8_t { inside, outside };

/// A symbol of physics: the equations, boundary conditions, sources and terms of a problem consist of these.
struct Symbol {
  enum class Kind : std::uint8_t {
    field,       ///< number `index` of System::fields, on `side`
    derivative,  ///< d field / d x_axis, of field number `index`
    curl,        ///< component `axis` of the curl of the vector whose first field is `index`
    divergence,  ///< of the vector whose first field is `index`
    normal,      ///< component `axis` of the outward unit normal
    parameter,   ///< number `index` of System::parameters, on `side`
    coordinate,  ///< x, y or z, by `axis`
    time,
    profile  ///< number `index` of a term's profiles (term.hpp)
  };
  Kind kind{};
  int index{};
  int axis{};  ///< 0, 1, 2 = x, y, z
  Side side{Side::inside};
  auto operator<=>(const Symbol&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
};

/// A symbol that occurs only in lowered expressions (dg/lowering), beside fields, normal, coordinates, time and
/// profiles.
struct LoweredSymbol {
  enum class Kind : std::uint8_t {
    element_constant,      ///< `number` of LoweredSystem::constants (of a term: LoweredTerm::constants), on `side`
    reference_derivative,  ///< d `field` / dr, ds or dt, by `axis`
    metric,                ///< `number` as in metric_values (dg/lowering/affine_map.hpp)
    face_scale,            ///< Fscale
    contraction,           ///< `number` of ContractedSystem::contractions; Lifting::sums continue the numbers
    invariant,             ///< `number` of ContractedSystem::element_invariants, in fluxes of face_invariants
    edges                  ///< `number` as in edges() (dg/lowering/affine_map.hpp)
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

/// A handle to a node of a tree; cheap to copy. Arithmetic simplifies: constants are folded, x*1 and x+0 become x, x*0
/// becomes 0.
class Expr {
 public:
  Expr(double value = 0.0);  // NOLINT(google-explicit-constructor): numbers are expressions
  explicit Expr(const AnySymbol& symbol);
  Expr(Op op, std::vector<Expr> arguments);

  [[nodiscard]] Op op() const;
  [[nodiscard]] double value() const;             ///< if it is a constant
  [[nodiscard]] const AnySymbol& symbol() const;  ///< if it is a symbol
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
/// A function of one argument, sin ... abs, by its Op.
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

/// The symbols of x, y, z (axis 0, 1, 2) and of the time.
[[nodiscard]] Expr coordinate(int axis);
[[nodiscard]] Expr time();

/// The value of an expression that has no symbols but coordinates and time. Throws std::logic_error for any other one.
[[nodiscard]] double evaluate(const Expr& expression, const std::array<double, 3>& x, double t);

/// A function that may occur in expressions, with its name in configs: "sin", "atan2" ... `arity`: its arguments.
struct Function {
  std::string name;
  Op op;
  int arity;
};
[[nodiscard]] const std::vector<Function>& functions();

}  // namespace maxwell_dg::dg::symbolic
