#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"

namespace maxwell_dg {

/// The resolved config, and as YAML comments behind it the forecast: elements, degrees of freedom, device memory, dt,
/// steps, points per wavelength. Runs nothing, writes nothing. Throws what a run would throw before its first step.
[[nodiscard]] std::string check(const CommandLine& command);

}  // namespace maxwell_dg
