#pragma once

#include <array>

#include "dg/maxwell/pml.hpp"

namespace maxwell_dg::dg::testing {

/// A motion of a PML that has another damping at each x, and a constant one along y.
[[nodiscard]] inline maxwell::PmlMotion bent_motion() {
  return {.displacement =
              [](const Point& x) {
                return Point{x[0] * x[0], x[1], 0};
              },
          .gradient =
              [](const Point& x) {
                return std::array<Point, 3>{{{2 * x[0], 0, 0}, {0, 1, 0}, {0, 0, 0}}};
              }};
}

}  // namespace maxwell_dg::dg::testing
