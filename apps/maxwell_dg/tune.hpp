#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg {

/// --tune: looks for the fastest variant, keeps it in the wisdom, and returns the table of all that were tried.
/// Of several ranks one tunes, on what the one has that needs longest, and the first one returns the table; the others
/// return nothing. Collective.
[[nodiscard]] std::string tune(const CommandLine& command, const core::Communicator& ranks);

}  // namespace maxwell_dg
