#pragma once

#include <string>
#include <vector>

#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// What rings on in the signals of probes, by dg::harmonic_inversion of probes.csv: resonances.csv with a row for each
/// resonance of each probe, in that field of it which is strongest. Of a run that was
/// broken off too early, a warning and no file. Returns the file's name, or nothing where the config asks for none.
/// Throws OutputError.
[[nodiscard]] std::vector<std::string> write_resonances(const Plan& plan);

/// Throws ConfigError where the signals after `outputs.resonances.start` will be too short for the band; warns where a
/// source still drives them then.
void check_resonances(const Plan& plan);

}  // namespace maxwell_dg::simulation
