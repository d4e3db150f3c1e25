#pragma once

#include <optional>
#include <string>

#include "apps/simulation/plan.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/probe_levels.hpp"

namespace maxwell_dg::simulation {

/// Throws ConfigError for a band of `outputs.probe_spectra` that the first source does not hold all over.
void check_probe_spectra(const Plan& plan);

/// From the probes of the whole run, a row for each frequency, with the real and imaginary parts of each field of the
/// chosen probes: integral of q exp(-2 pi i f t) dt over that of the first source's waveform, or by itself where no
/// source has one. Both by the trapezoidal rule over all steps. Of complex fields, that of q real + i q imaginary.
/// Nothing where the config asks for none, and, with a warning, where the run ended early.
[[nodiscard]] std::optional<dg::Table> probe_spectra(const Plan& plan, const std::string& outcome,
                                                     const dg::Sink& results);

/// Does the end of the run wait for the fields at the probes with spectra? Where most of the energy lies elsewhere, as
/// outside of a shielding box, its level tells nothing of them.
[[nodiscard]] bool wants_probe_levels(const Plan& plan);

/// Of those probes, where wants_probe_levels.
[[nodiscard]] dg::ProbeLevels::Options probe_level_options(const Plan& plan);

/// Adds what their levels need.
void add_probe_levels(const Plan& plan, dg::Operator::Usage& usage);

}  // namespace maxwell_dg::simulation
