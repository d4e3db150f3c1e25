#pragma once

#include "core/error.hpp"

namespace maxwell_dg {

/// While it lives, the first SIGINT or SIGTERM only asks the run to stop; a second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] static bool stop_requested();
  /// `done`, or what the signal that came means.
  [[nodiscard]] static ExitCode exit_code();
};

}  // namespace maxwell_dg
