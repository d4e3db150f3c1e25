#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg {

/// The resolved config, and behind it the forecast (apps/simulation/checks/forecast.hpp). The first of several ranks
/// has the text, the others an empty one. Runs nothing, writes nothing. Throws what a run would throw before its first
/// step. Collective.
[[nodiscard]] std::string check(const CommandLine& command, const core::Communicator& ranks);

}  // namespace maxwell_dg
