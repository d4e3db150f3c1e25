#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/vector.hpp"

/// The map of the reference element to an element with straight edges, in symbols of the element's metric.
namespace maxwell_dg::dg {

/// The symbol of a number of the metric; `number` counts as in metric_values.
[[nodiscard]] inline symbolic::Expr metric(int number) {
  using symbolic::LoweredSymbol;
  return symbolic::Expr(LoweredSymbol{.kind = LoweredSymbol::Kind::metric, .number = number});
}

/// grad r, grad s or grad t, for a = 0, 1, 2.
[[nodiscard]] inline symbolic::Vector gradient_of(int a) {
  return {metric(3 * a), metric(3 * a + 1), metric(3 * a + 2)};
}

/// sum over a of factors[a] * of(a).
template <class Of>
[[nodiscard]] symbolic::Expr combination(const std::array<double, 3>& factors, const Of& of) {
  symbolic::Expr sum = 0.0;
  for (int a = 0; a < 3; ++a) sum = sum + factors.at(static_cast<std::size_t>(a)) * of(a);
  return sum;
}

/// The tangent x_a = dx/dr_a over J, which is grad r_b x grad r_c with (a, b, c) cyclic. Its symbols have numbers of
/// their own, from 9 on.
[[nodiscard]] inline symbolic::Vector tangent_over_J(int a) {
  return {metric(9 + 3 * a), metric(9 + 3 * a + 1), metric(9 + 3 * a + 2)};
}

/// The values of all metric symbols in one element. 0 to 8: the components of grad r, grad s and grad t, rx ry rz sx
/// ... tz, as given. 9 to 17: the components of x_r / J, x_s / J and x_t / J.
[[nodiscard]] inline std::array<double, 18> metric_values(const std::array<double, 9>& gradients) {
  std::array<double, 18> values{};
  for (std::size_t i = 0; i < gradients.size(); ++i) values.at(i) = gradients.at(i);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto g = [&](std::size_t i, std::size_t j) { return gradients.at((a + i) % 3 * 3 + (axis + j) % 3); };
      values.at(9 + 3 * a + axis) = g(1, 1) * g(2, 2) - g(1, 2) * g(2, 1);
    }
  }
  return values;
}

/// The coordinate (0, 1, 2 for r, s, t) that is -1 on the whole face; none for the face r + s + t = -1.
[[nodiscard]] constexpr std::optional<int> axis_of_face(int face) {
  const int vertex = ReferenceElement::opposite_vertex.at(static_cast<std::size_t>(face));
  return vertex == 0 ? std::nullopt : std::optional(vertex - 1);
}

/// Which coordinates (0, 1, 2 for r, s, t) belong to a face. a < b vary along the face, and c is constant on it. On the
/// face r + s + t = -1, called slanted, all three vary; there c is r. The edges of a face are the vectors tau_1 = x_a
/// and tau_2 = x_b; on the slanted face tau_1 = x_a - x_c and tau_2 = x_b - x_c. The frame of a face is grad r_a, grad
/// r_b and +-grad r_c, with the sign for which it has the orientation of grad r, grad s, grad t.
struct FaceFrame {
  int a, b, c;
  bool is_slanted;
};
[[nodiscard]] constexpr FaceFrame frame_of_face(int face) {
  const int c = axis_of_face(face).value_or(0);
  return {.a = c == 0 ? 1 : 0, .b = c == 2 ? 1 : 2, .c = c, .is_slanted = !axis_of_face(face)};
}

/// 1 if the third gradient of a face's frame (FaceFrame) points out of the element, -1 if it points into it.
[[nodiscard]] constexpr int orientation_of_face(int face) {
  return frame_of_face(face).is_slanted || frame_of_face(face).c == 1 ? 1 : -1;
}

/// The gradients of a face's frame (FaceFrame), from those of r, s and t, rx ry rz sx ... tz.
[[nodiscard]] inline std::array<double, 9> in_frame_of_face(const std::array<double, 9>& gradients, int face) {
  const FaceFrame frame = frame_of_face(face);
  std::array<double, 9> frame_gradients{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto gradient = [&](int of) { return gradients.at(3 * static_cast<std::size_t>(of) + axis); };
    frame_gradients.at(axis) = gradient(frame.a);
    frame_gradients.at(3 + axis) = gradient(frame.b);
    frame_gradients.at(6 + axis) = frame.c == 1 ? -gradient(frame.c) : gradient(frame.c);
  }
  return frame_gradients;
}

/// Symbols that a kernel computes from the edges of a face (FaceFrame): 0, 1 and 2 are tau_1 . tau_1, tau_1 . tau_2 and
/// tau_2 . tau_2, each divided by J; 3 is orientation_of_face.
[[nodiscard]] inline symbolic::Expr edges(int i) {
  using symbolic::LoweredSymbol;
  return symbolic::Expr(LoweredSymbol{.kind = LoweredSymbol::Kind::edges, .number = i});
}

/// Fscale = sJ / |J|, the surface Jacobian over the volume Jacobian.
[[nodiscard]] inline symbolic::Expr face_scale() {
  return symbolic::Expr(symbolic::LoweredSymbol{.kind = symbolic::LoweredSymbol::Kind::face_scale});
}

/// The signed determinant J, 1 / (grad r . grad s x grad t).
[[nodiscard]] inline symbolic::Expr jacobian() {
  return 1.0 / dot(gradient_of(0), tangent_over_J(0));
}

}  // namespace maxwell_dg::dg
