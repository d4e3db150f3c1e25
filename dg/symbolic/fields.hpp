#pragma once

#include <string>
#include <utility>

#include "dg/symbolic/system.hpp"
#include "dg/symbolic/vector.hpp"

/// The functions with which a system is written: fields with traces and derivatives, parameters on both sides of a
/// face.
namespace maxwell_dg::dg::symbolic {

/// A scalar field, by its number in System::fields.
struct ScalarField {
  int index{};
  [[nodiscard]] Expr at(Side side) const {
    return Expr(Symbol{.kind = Symbol::Kind::field, .index = index, .side = side});
  }
  /// d/dx, d/dy or d/dz inside the element.
  [[nodiscard]] Expr derivative(int axis) const {
    return Expr(Symbol{.kind = Symbol::Kind::derivative, .index = index, .axis = axis});
  }
};

/// Whether a symbol is a derivative, a curl or a divergence.
[[nodiscard]] inline bool is_derivative(const Symbol& s) {
  using Kind = Symbol::Kind;
  return s.kind == Kind::derivative || s.kind == Kind::curl || s.kind == Kind::divergence;
}

/// A vector field: three adjacent fields, by the number of the first.
struct VectorField {
  int first{};
  [[nodiscard]] ScalarField operator[](int axis) const { return {first + axis}; }
  [[nodiscard]] Vector at(Side side) const { return {(*this)[0].at(side), (*this)[1].at(side), (*this)[2].at(side)}; }
};

/// A number that is constant in each element: a material parameter. By its number in System::parameters.
struct ParameterField {
  int index{};
  [[nodiscard]] Expr at(Side side) const {
    return Expr(Symbol{.kind = Symbol::Kind::parameter, .index = index, .side = side});
  }
};

/// The value inside of the element, in a flux the inside trace; and the outside trace.
template <class Field>
[[nodiscard]] auto inside(const Field& q) {
  return q.at(Side::inside);
}
template <class Field>
[[nodiscard]] auto outside(const Field& q) {
  return q.at(Side::outside);
}

/// jump(q) = q_m - q_p and average(q) = (q_m + q_p) / 2, as in docs/conventions.md.
template <class Field>
[[nodiscard]] auto jump(const Field& q) {
  return inside(q) - outside(q);
}
template <class Field>
[[nodiscard]] auto average(const Field& q) {
  return Expr(0.5) * (inside(q) + outside(q));
}

[[nodiscard]] inline Vector gradient(const ScalarField& p) {
  return {p.derivative(0), p.derivative(1), p.derivative(2)};
}
/// Divergence and curl are symbols of their own, not sums of derivatives: on an affine element they need fewer products
/// with differentiation matrices than their derivatives would (ContractedSystem).
[[nodiscard]] inline Expr divergence(const VectorField& u) {
  return Expr(Symbol{.kind = Symbol::Kind::divergence, .index = u.first});
}
[[nodiscard]] inline Vector curl(const VectorField& u) {
  const auto component = [&](int axis) {
    return Expr(Symbol{.kind = Symbol::Kind::curl, .index = u.first, .axis = axis});
  };
  return {component(0), component(1), component(2)};
}

/// Adds a field, the three fields of a vector, or a parameter to a system.
[[nodiscard]] inline ScalarField add_scalar(System& system, const std::string& name) {
  system.fields.push_back(name);
  return {system.field_count() - 1};
}
[[nodiscard]] inline VectorField add_vector(System& system, const std::string& name) {
  for (const char* axis : {"x", "y", "z"}) system.fields.push_back(name + axis);
  return {system.field_count() - 3};
}
[[nodiscard]] inline ParameterField add_parameter(System& system, const std::string& name, double default_value,
                                                  System::Meaning meaning = {}) {
  system.parameters.push_back({name, default_value, std::move(meaning)});
  return {static_cast<int>(system.parameters.size()) - 1};
}

/// Sets the equation of a field, or those of a vector's three fields, in `equations`, [field], which grows as needed.
inline void set(std::vector<Expr>& equations, const ScalarField& field, const Expr& value) {
  if (equations.size() <= static_cast<std::size_t>(field.index)) {
    equations.resize(static_cast<std::size_t>(field.index) + 1);
  }
  equations[static_cast<std::size_t>(field.index)] = value;
}
inline void set(std::vector<Expr>& equations, const VectorField& field, const Vector& value) {
  for (int axis = 0; axis < 3; ++axis) set(equations, field[axis], value[axis]);
}

}  // namespace maxwell_dg::dg::symbolic
