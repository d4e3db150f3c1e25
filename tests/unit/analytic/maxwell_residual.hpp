#pragma once

#include <cmath>
#include <cstddef>

#include "apps/examples/analytic/vector.hpp"

namespace maxwell_dg::analytic {

/// curl F at x by central differences of fourth order; `field` maps Vec3 to std::array<T, 3>.
template <typename T, typename Field>
std::array<T, 3> curl_by_differences(const Field& field, const Vec3& x, double h) {
  std::array<std::array<T, 3>, 3> d{};  // d[axis][component]
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto at = [&](double offset) {
      Vec3 y = x;
      y[axis] += offset;
      return field(y);
    };
    const auto p1 = at(h), m1 = at(-h), p2 = at(2 * h), m2 = at(-2 * h);
    for (std::size_t c = 0; c < 3; ++c) d[axis][c] = (8.0 * (p1[c] - m1[c]) - (p2[c] - m2[c])) / (12 * h);
  }
  return {d[1][2] - d[2][1], d[2][0] - d[0][2], d[0][1] - d[1][0]};
}

template <typename T>
double distance(const std::array<T, 3>& a, const std::array<T, 3>& b) {
  return std::sqrt(std::norm(a[0] - b[0]) + std::norm(a[1] - b[1]) + std::norm(a[2] - b[2]));
}

template <typename T>
double length(const std::array<T, 3>& a) {
  return distance(a, std::array<T, 3>{});
}

}  // namespace maxwell_dg::analytic
