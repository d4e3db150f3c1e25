#pragma once

#include <cstddef>
#include <optional>

#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/vector.hpp"

/// The map of the reference element to an element with straight edges, in symbols of the element's metric.
namespace maxwell_dg::dg {

/// grad r, grad s or grad t.
[[nodiscard]] inline symbolic::Vector gradient_of(int a) {
  const auto metric = [&](int axis) {
    return symbolic::Expr(symbolic::Symbol{.kind = symbolic::Symbol::Kind::metric, .index = 3 * a + axis});
  };
  return {metric(0), metric(1), metric(2)};
}

/// x_a / J = grad r_b x grad r_c, with (a, b, c) cyclic and x_a = dx/dr_a: as symbols behind those of the gradients.
[[nodiscard]] inline symbolic::Vector tangent_over_J(int a) {
  const auto tangent = [&](int axis) {
    return symbolic::Expr(symbolic::Symbol{.kind = symbolic::Symbol::Kind::metric, .index = 9 + 3 * a + axis});
  };
  return {tangent(0), tangent(1), tangent(2)};
}

/// The one of r, s and t that is -1 all over a face; none for the face r + s + t = -1.
[[nodiscard]] constexpr std::optional<int> axis_of_face(int face) {
  const int vertex = ReferenceElement::opposite_vertex.at(static_cast<std::size_t>(face));
  return vertex == 0 ? std::nullopt : std::optional(vertex - 1);
}

/// The signed determinant J, 1 / (grad r . grad s x grad t).
[[nodiscard]] inline symbolic::Expr jacobian() {
  return 1.0 / dot(gradient_of(0), tangent_over_J(0));
}

}  // namespace maxwell_dg::dg
