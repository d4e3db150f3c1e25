#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "apps/maxwell_dg/plan.hpp"
#include "dg/observe/fourier_sampling.hpp"
#include "dg/observe/frequency_fields.hpp"

/// From a config to observers of the frequency domain.
namespace maxwell_dg {

/// Throws ConfigError for frequencies that the first source does not hold, or a run too short for the tone of a sine.
void check_frequencies(const Plan& plan);

/// How often the run must be sampled for what the config asks of the frequency domain; nothing if it asks for none.
[[nodiscard]] std::optional<dg::FourierSampling> fourier_sampling(const Plan& plan);

/// Of `outputs.frequency_fields`, which is there.
[[nodiscard]] dg::FrequencyFields::Options frequency_field_options(const Plan& plan);

/// Bytes of the device that outputs in the frequency domain hold, on a mesh of so many cells.
[[nodiscard]] std::size_t frequency_output_bytes(const config::Config& config, const dg::System& system,
                                                 std::size_t cells);

}  // namespace maxwell_dg
