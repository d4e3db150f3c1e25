#pragma once

#include <array>
#include <cmath>
#include <string>

/// Positions in space and the algebra that geometry needs of them.
namespace maxwell_dg::dg {

using Point = std::array<double, 3>;

[[nodiscard]] inline Point plus(const Point& a, const Point& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
[[nodiscard]] inline Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
[[nodiscard]] inline double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
[[nodiscard]] inline Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
[[nodiscard]] inline double length(const Point& a) {
  return std::sqrt(dot(a, a));
}
[[nodiscard]] inline double distance(const Point& a, const Point& b) {
  return length(minus(a, b));
}

/// (x, y, z), as messages have it.
[[nodiscard]] std::string text_of(const Point& p);

}  // namespace maxwell_dg::dg
