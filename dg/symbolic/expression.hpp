#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
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

/// A leaf with a meaning. `index` counts fields, parameters, derivatives' fields or axes (0, 1, 2 = x, y, z); of a curl
/// and a divergence it is the first of the vector's three fields. The kinds from reference_derivative on arise when an
/// equation is lowered to the reference element (dg/lowering/lowering.hpp, contraction.hpp).
struct Symbol {
  enum class Kind : std::uint8_t {
    field,
    derivative,
    curl,
    divergence,
    normal,
    parameter,
    coordinate,
    time,
    profile,
    reference_derivative,
    metric,
    face_scale,
    contraction,
    invariant,
    edges
  };
  Kind kind{};
  int index{};  ///< field, parameter, profile, axis of normal and coordinate, or number in Geometry::metric; of metric,
                ///< from 9 on, and edges: affine_map.hpp
  int axis{};   ///< of a derivative: d field[index] / d x_axis, or d r, d s, d t; component of a curl
  Side side{Side::inside};                          ///< of a field or parameter
  auto operator<=>(const Symbol&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
};

struct Node;

/// A handle to a node of the tree; copying is cheap. Arithmetic simplifies: constants fold, x*1, x+0 and x*0 vanish.
class Expr {
 public:
  Expr(double value = 0.0);  // NOLINT(google-explicit-constructor): numbers are expressions
  explicit Expr(const Symbol& symbol);
  Expr(Op op, std::vector<Expr> arguments);

  [[nodiscard]] Op op() const;
  [[nodiscard]] double value() const;          ///< of a constant
  [[nodiscard]] const Symbol& symbol() const;  ///< of a symbol
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
