#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"

namespace maxwell_dg {

/// The resolved config, and as YAML comments behind it the forecast: elements by region, the mesh's size, degrees of
/// freedom, device memory, dt, steps, points per wavelength, what sources do when, files, the time that the run takes.
/// Runs nothing, writes nothing. Throws what a run would throw before its first step.
[[nodiscard]] std::string check(const CommandLine& command);

}  // namespace maxwell_dg
