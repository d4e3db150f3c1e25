#pragma once

#include <cstddef>
#include <vector>

#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// [element] N nodes along the longest edge: points per wavelength.
[[nodiscard]] std::vector<double> points_per_wavelength(const Plan& plan, double frequency);

/// In the element where they are fewest.
struct Resolution {
  double points_per_wavelength;
  std::size_t element;
};
[[nodiscard]] Resolution worst_resolution(const Plan& plan, double frequency);

/// Warns, before anything is computed, of a mesh that
///
/// - does not resolve what its sources inject: fewer than pi points per wavelength at their highest frequency.
/// - has single elements that cost all others their step: one allows a third, or less, of the step that 99 % of the
///   elements allow.
/// - has a matched layer thinner than half a wavelength at the lowest frequency asked for.
void warn_of_mesh(const Plan& plan);

}  // namespace maxwell_dg::simulation
