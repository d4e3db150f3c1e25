#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

/// The keys of outputs in the frequency domain.
namespace maxwell_dg::config {

/// `quantities` are the names of fields that any system has.
[[nodiscard]] Key frequency_fields_key(Outputs& outputs, const std::vector<std::string>& quantities);

[[nodiscard]] Key far_field_key(Outputs& outputs);

/// Of the config itself.
[[nodiscard]] Key sweep_key(Config& config);
/// Adds errors of a sweep that does not fit the sources and outputs.
void check_sweep(const Config& config, Reader& reader);

[[nodiscard]] Key resonances_key(Outputs& outputs);
[[nodiscard]] Key probe_spectra_key(Outputs& outputs);

}  // namespace maxwell_dg::config
