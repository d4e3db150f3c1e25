#pragma once

#include <optional>
#include <span>

#include "dg/mesh/point.hpp"

namespace maxwell_dg::dg {

/// A sphere, or the cross section of a cylinder along z (then z of the centre is 0).
struct FittedRound {
  Point centre{};
  double radius{};
  double deviation{};  ///< the largest | |x - centre| / radius - 1 | of the points
};

/// The sphere (`dimensions` 3) or the cylinder along z (2) through points, in the sense of least squares of
/// |x|^2 = 2 c . x + (R^2 - |c|^2), which is linear in the centre c and in R^2 - |c|^2; exact for points of any part of
/// one. Nothing where the points determine none: too few, or all in a plane (along a line).
[[nodiscard]] std::optional<FittedRound> fit_round(std::span<const Point> points, int dimensions);

}  // namespace maxwell_dg::dg
