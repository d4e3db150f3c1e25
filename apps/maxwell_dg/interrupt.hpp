#pragma once

#include "core/error.hpp"

namespace maxwell_dg {

/// While it lives, the first signal that asks a program to end (SIGHUP, SIGINT, SIGTERM; SIGUSR1, SIGUSR2 and SIGXCPU,
/// by which batch systems announce the end) only asks the run to stop. A second one ends the program at once, but for
/// SIGHUP, which a closed terminal sends several times. Signals other than SIGINT that were ignored before, as SIGHUP
/// is under nohup, stay ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] static bool stop_requested();
  /// `done`, or 128 and the number of the signal that came.
  [[nodiscard]] static ExitCode exit_code();
};

}  // namespace maxwell_dg
