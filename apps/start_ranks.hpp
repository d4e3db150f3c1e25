#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"

/// A program that starts itself again, once for each device of this host.
namespace maxwell_dg {

/// How mpirun is asked for that.
struct Launch {
  std::vector<std::string> command;  ///< mpirun with its arguments, then the program with its own
  /// Where these are not set: each rank may use all cores; as root Open MPI starts nothing before it is told twice.
  std::map<std::string, std::string> environment;
};
[[nodiscard]] Launch launch_of(std::size_t ranks, const std::string& program, const std::vector<std::string>& arguments,
                               bool is_root);

/// Has mpirun start this program with these arguments so often on this host, and waits for its end. Ranks that mpirun
/// is to end have a second before it kills them; so what asks this process to end reaches them as SIGUSR2, which mpirun
/// hands on and which ends a run with its checkpoint. What asks a second time ends mpirun. Returns the exit code of the
/// ranks, or of the signal. Throws ConfigError where the build has no MPI, or mpirun is not there; `device`: what was
/// asked for, as errors name it.
[[nodiscard]] ExitCode start_ranks(std::size_t ranks, const std::string& device,
                                   const std::vector<std::string>& arguments);

}  // namespace maxwell_dg
