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

[[nodiscard]] Key resonances_key(Outputs& outputs);
[[nodiscard]] Key probe_spectra_key(Outputs& outputs);

}  // namespace maxwell_dg::config
