#pragma once

#include "apps/maxwell_dg/command_line.hpp"
#include "core/error.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg {

/// Config -> mesh -> discretization -> operator -> time loop with observers -> summary. Returns `done`, the code of an
/// interrupt, or that of an error that happened once the output directory existed, after saying it there and on stderr;
/// earlier errors are thrown. Of several ranks the first one writes the files.
ExitCode run(const CommandLine& command, const core::Communicator& ranks);

}  // namespace maxwell_dg
