#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/mpi/communicator.hpp"

/// What a program does that was started as several ranks.
namespace maxwell_dg {

/// All ranks that were started with this process. Ranks behind the first say errors alone, and kernels on a CPU take
/// this rank's share of its cores (those to which it is bound, divided among the ranks of the host that may use them,
/// too), unless POCL_MAX_PTHREAD_COUNT says otherwise. Before a device is opened. Throws DeviceError.
[[nodiscard]] core::Communicator begin_ranks();

/// The first rank warns of hosts whose ranks have fewer cores than they are. Collective.
void warn_of_too_few_cores(const core::Communicator& ranks);

/// To be called where an exception is handled, as report_failure. An error that all ranks have is said by the first
/// one, another one with its rank and host; so are the warnings of a rank that fails. Where not all have failed, all
/// end within ten seconds. `warnings`: of this rank until then; on the first rank with all that it has said for others.
/// Returns the exit code.
[[nodiscard]] ExitCode report_failure_of(const core::Communicator& ranks,
                                         const std::vector<std::string>& warnings = {});

}  // namespace maxwell_dg
