#pragma once

#include <array>
#include <utility>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg::symbolic {

/// Three expressions: a vector in space.
struct Vector {
  std::array<Expr, 3> component;
  Vector() = default;
  Vector(Expr x, Expr y, Expr z) : component{std::move(x), std::move(y), std::move(z)} {}
  const Expr& operator[](int axis) const { return component.at(static_cast<std::size_t>(axis)); }
};

inline Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vector operator-(const Vector& a) {
  return {-a[0], -a[1], -a[2]};
}
inline Vector operator*(const Expr& s, const Vector& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
/// One division, not three.
inline Vector operator/(const Vector& a, const Expr& s) {
  return (1.0 / s) * a;
}

inline Expr dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The outward unit normal of a face.
[[nodiscard]] inline Vector normal() {
  const auto component = [](int axis) { return Expr(Symbol{.kind = Symbol::Kind::normal, .axis = axis}); };
  return {component(0), component(1), component(2)};
}

/// The position of a node.
[[nodiscard]] inline Vector position() {
  return {coordinate(0), coordinate(1), coordinate(2)};
}

}  // namespace maxwell_dg::dg::symbolic
