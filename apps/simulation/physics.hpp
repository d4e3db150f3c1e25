#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/scaling.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/observe/files/file_scaling.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// Factors from the units inside to those of the config, in which files are written.
[[nodiscard]] dg::FileScaling file_scaling(const config::Config& config, const dg::System& system);

/// Are fields given at t = 0?
[[nodiscard]] bool has_initial_fields(const config::Config& config, const dg::System& system);

/// Has the config a PML, by `pml` or by boundaries of type pml?
[[nodiscard]] bool has_pml(const config::Config& config);
/// [element] Is it one of a term whose name begins like this: "pml", "dispersion"?
[[nodiscard]] std::vector<bool> elements_of_terms(const dg::Problem& problem, std::size_t elements,
                                                  std::string_view beginning);

/// A source's time dependence in the units inside, amplitude in those of E.
[[nodiscard]] dg::maxwell::Waveform make_waveform(const config::Config& config, const config::Waveform& waveform);
/// What drives each source that has a waveform.
[[nodiscard]] std::vector<dg::maxwell::Waveform> waveforms(const config::Config& config);

/// The highest frequency that sources inject, in the config's units (of a pulse: where its spectrum ends, -20 dB);
/// 0 where no source says.
[[nodiscard]] double highest_frequency(const config::Config& config);

}  // namespace maxwell_dg::simulation
