#pragma once

#include <cstddef>
#include <string>

namespace maxwell_dg::dg {

/// How a process ends that the system stopped, where its status would not tell.
enum class ChildExit : int { out_of_memory = 91, starts_process = 92 };

/// Bounds of a process, so that a damaged file cannot take the machine. A bound of 0 is none.
struct Bounds {
  std::size_t memory_bytes{};  ///< of its own, beyond what it shares; more ends it by ChildExit::out_of_memory
  std::size_t cpu_seconds{};   ///< more ends it by SIGXCPU
};
void bound_this_process(const Bounds& bounds);

/// From now on the system lets this process, with all its threads, read files and compute, and nothing else: it cannot
/// start a process, write, create, remove or rename a file, or reach the network, other processes or a terminal. What
/// it already has open stays open. Starting a process ends it by ChildExit::starts_process or SIGSYS; anything else
/// fails as without permission. Nothing lifts this again.
///
/// By seccomp, which needs no privilege. Returns why where the system or the processor has no such means, else "".
[[nodiscard]] std::string read_and_compute_only();

/// The first file that was to be written, created, removed or renamed since; "" where none was.
[[nodiscard]] std::string refused_file();

}  // namespace maxwell_dg::dg
