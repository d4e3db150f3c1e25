#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/maxwell_dg/command_line.hpp"
#include "core/error.hpp"

namespace maxwell_dg {

/// Where a run, --check or --tune is asked for on `cuda:all` or `opencl:all` and this process was started by itself:
/// has it done by a rank for each device (start_ranks), and returns their exit code. Otherwise nothing is done: one
/// device alone takes the place of all of them in the command, and so does the first one for --kernels and where a
/// single run of a sweep is looked at; a sweep itself uses all of them. Throws as start_ranks and load_config do, and
/// DeviceError where there are no devices.
[[nodiscard]] std::optional<ExitCode> run_on_all_devices(CommandLine& command,
                                                         const std::vector<std::string>& arguments);

}  // namespace maxwell_dg
