#pragma once

#include "apps/config/config.hpp"
#include "apps/config/scaling.hpp"
#include "apps/config/type.hpp"
#include "dg/maxwell/one_port.hpp"

namespace maxwell_dg::config {

[[nodiscard]] Key elements_key(Config& config);
[[nodiscard]] Key element_output_key(Outputs& outputs);

/// What entries of `elements` say of each other.
void check_elements(const Config& config, Reader& reader);

/// The circuit of an element, inside. Throws std::invalid_argument where there is none: a short circuit, an open end,
/// matrices of sizes that do not go together.
[[nodiscard]] dg::maxwell::OnePort circuit_of(const LumpedElement& element, const Scaling& scaling);

}  // namespace maxwell_dg::config
