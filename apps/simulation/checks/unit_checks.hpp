#pragma once

#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// Lengths and frequencies that do not go together: a mesh that is too coarse and large, or far too small, in
/// wavelengths, a pulse that is far too long for the run, a PML larger than the mesh. Asked before all else that they
/// would spoil. A warning with the guess that helps; throws ConfigError where no wave could come to anything and the
/// value has no unit, or is a scale that nobody wrote. Needs the problem without its terms, and the method.
void check_units(const Plan& plan);

}  // namespace maxwell_dg::simulation
