#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"

namespace maxwell_dg {

/// Writes every kernel that a run of the config would compile to a directory, as a text to be read, and returns a list
/// of them. Prepares the run on a device that does nothing, so the texts are those that the run asks for. Runs nothing.
/// Throws what --check throws, and OutputError (see KernelFiles).
[[nodiscard]] std::string write_kernels(const CommandLine& command);

}  // namespace maxwell_dg
