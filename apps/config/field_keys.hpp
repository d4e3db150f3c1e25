#pragma once

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

/// Fields by formulas, and what there is of them where they are complex.
namespace maxwell_dg::config {

[[nodiscard]] Key initial_fields_key(Config& config, const KnownSystem& system);
[[nodiscard]] Key reference_solution_key(Config& config, const KnownSystem& system);
[[nodiscard]] Key imaginary_key(Config& config, const KnownSystem& system);

/// Imaginary parts are for complex fields, which some sources and outputs do not know.
void check_complex(const Config& config, Reader& reader);

}  // namespace maxwell_dg::config
