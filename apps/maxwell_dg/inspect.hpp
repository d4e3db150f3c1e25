#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"

/// What the program can tell or do without a config.
namespace maxwell_dg {

/// A line a device: what to write behind --device, its name, memory and driver.
[[nodiscard]] std::string describe_devices();
/// The JSON Schema of a config.
[[nodiscard]] std::string schema();
/// Any readable mesh to HDF5; geometries are meshed as keys of `mesh` among the assignments say. Throws ConfigError,
/// MeshError, OutputError.
void convert(const CommandLine& command);
/// Where compiled kernels and wisdom (what was measured on devices) are kept, number and size: a line each.
[[nodiscard]] std::string describe_cache();
/// Empties both and says what went. Throws OutputError.
[[nodiscard]] std::string clear_cache();

}  // namespace maxwell_dg
