#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"

namespace maxwell_dg {

/// --tune: looks for the fastest variant, keeps it in the wisdom, and returns the table of all that were tried.
[[nodiscard]] std::string tune(const CommandLine& command);

}  // namespace maxwell_dg
