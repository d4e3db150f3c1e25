#pragma once

#include <optional>

#include "apps/simulation/plan.hpp"
#include "dg/observe/files/table.hpp"

namespace maxwell_dg::simulation {

/// Finds the medium of the incident wave for `outputs.probe_spectra.shielding`, if that is asked for. Throws
/// ConfigError where not one plane wave alone drives the fields, or a probe lies where they are the scattered ones of a
/// total-field injection. Collective.
void plan_shielding(Plan& plan);

/// The shielding effectiveness at the probes of `spectra` (probe_spectra), a row for each frequency:
/// 20 log10(|E_inc| / |E|) and 20 log10(|H_inc| / |H|) of the whole vectors, the incident field that of the plane wave
/// at the probe, the other one the total field. Nothing where the config does not ask for it.
[[nodiscard]] std::optional<dg::Table> shielding(const Plan& plan, const dg::Table& spectra);

}  // namespace maxwell_dg::simulation
