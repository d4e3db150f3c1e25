#pragma once

#include "apps/maxwell_dg/plan.hpp"

namespace maxwell_dg {

/// How well the mesh carries a wave of this frequency (in the config's units): nodes a wavelength, N of them along the
/// longest edge of the element that resolves it worst.
[[nodiscard]] double fewest_points_per_wavelength(const Plan& plan, double frequency);

}  // namespace maxwell_dg
