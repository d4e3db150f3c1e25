#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "apps/simulation/plan.hpp"
#include "dg/observe/fourier_sampling.hpp"
#include "dg/observe/frequency_fields.hpp"

/// From a config to observers of the frequency domain.
namespace maxwell_dg::simulation {

/// Of the largest of a source's spectrum: below, rounding and reflections take over.
inline constexpr double least_spectrum = 1e-3;

/// The first source's signal at the origin, over which fields are written; nothing where no source has one.
[[nodiscard]] std::optional<dg::symbolic::Expr> reference_signal(const Plan& plan);

/// Throws ConfigError for frequencies that the first source does not hold, or a run too short for the tone of a sine.
/// Warns of frequencies that the mesh does not carry everywhere.
void check_frequencies(const Plan& plan);

/// Throws ConfigError for frequencies, of outputs and of sines, at which half of the elements have fewer than two
/// points per wavelength: one for the crest of a wave and one for its trough.
void require_carried(const Plan& plan);

/// In the solver's units.
[[nodiscard]] std::vector<double> frequencies_inside(const Plan& plan, std::vector<double> frequencies);

/// How often the run must be sampled for what the config asks of the frequency domain; nothing if it asks for none.
[[nodiscard]] std::optional<dg::FourierSampling> fourier_sampling(const Plan& plan);

/// Of `outputs.frequency_fields`, which is there.
[[nodiscard]] dg::FrequencyFields::Options frequency_field_options(const Plan& plan, dg::Sink& sink);

/// What outputs in the frequency domain sum on the device, with so many cells and faces of the far field's surface.
[[nodiscard]] std::vector<dg::Operator::Usage::Sums> frequency_sums(const config::Config& config,
                                                                    const dg::System& system, std::size_t cells,
                                                                    std::size_t faces);

}  // namespace maxwell_dg::simulation
