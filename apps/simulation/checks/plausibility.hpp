#pragma once

#include <string>

#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// Values that are allowed and hardly meant, each a warning with the guess that helps: steps beyond the stable one, a
/// band that reaches below zero, a pulse that comes after the end, outputs rarer than the run is long, more steps than
/// anybody waits for.
void warn_of_config(const Plan& plan);

/// All warnings of what is about to be computed: warn_of_mesh and warn_of_config.
void warn_of_plan(const Plan& plan);

/// "5 Hz is not in the first source, a sine of 5 GHz; did you mean '5 GHz'?": of a frequency in the config's units.
[[nodiscard]] std::string not_in_first_source(const Plan& plan, double frequency);

/// "; did you mean '2 ns'?" of an end time that takes far too many steps; "" in normalized units and where no unit
/// helps.
[[nodiscard]] std::string guess_of_end(const Plan& plan);

}  // namespace maxwell_dg::simulation
