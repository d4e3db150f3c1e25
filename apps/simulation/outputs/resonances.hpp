#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/simulation/plan.hpp"
#include "dg/observe/files/table.hpp"

namespace maxwell_dg::simulation {

/// What rings on in the signal of a probe; quantities in the config's units.
struct ProbeResonance {
  std::string probe, field;  ///< that field of the probe which is strongest
  double frequency{}, q{}, amplitude{};
  double error{};      ///< see dg::Resonance
  bool is_doubtful{};  ///< another probe or a longer run may not show it
};

/// Of `outputs.resonances`, which is there, by dg::harmonic_inversion of the signals in a `table` of probes. Of a run
/// that was broken off too early nothing, with a warning.
[[nodiscard]] std::optional<std::vector<ProbeResonance>> find_resonances(const Plan& plan, const dg::Table& table);

/// resonances.csv: a row for each.
[[nodiscard]] std::string csv_of(const std::vector<ProbeResonance>& resonances);

/// Throws ConfigError where the signals after `outputs.resonances.start` will be too short for the band; warns where a
/// source still drives them then.
void check_resonances(const Plan& plan);

}  // namespace maxwell_dg::simulation
