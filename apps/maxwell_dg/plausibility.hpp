#pragma once

#include <string>

#include "apps/maxwell_dg/plan.hpp"

namespace maxwell_dg {

/// Values that are allowed and hardly meant, each a warning with the guess that helps: steps beyond the stable one, a
/// band that reaches below zero, a pulse that comes after the end, outputs rarer than the run is long, a wavelength out
/// of proportion to the mesh, more steps than anybody waits for.
void warn_of_config(const Plan& plan);

/// A mesh that is so coarse and so large, in wavelengths, that its unit was probably not metres.
void warn_of_scale(const Plan& plan);

/// "; did you mean '2 ns'?" of an end time that takes far too many steps; "" in normalized units and where no unit
/// helps.
[[nodiscard]] std::string guess_of_end(const Plan& plan);

}  // namespace maxwell_dg
