#pragma once

#include <string>

#include "dg/observe/checkpoint_file.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::simulation {

/// What a checkpoint says of the steps of its run; times are those inside.
struct SavedRun {
  std::string id;       ///< of the run; empty in checkpoints of old programs
  dg::Moment now;       ///< that the state belongs to
  double largest_dt{};  ///< of the run's config, mesh and method
  double end{};         ///< of the whole run
  std::string method;   ///< name of the Runge-Kutta method
  double dt{};
  long steps{};       ///< the last one's number
  dg::Moment origin;  ///< what steps are counted from

  /// Throws ConfigError for a checkpoint that lacks something, and dg::DamagedCheckpoint where the numbers cannot be of
  /// one run: a checksum tells what was written, not that a run wrote it.
  [[nodiscard]] static SavedRun of(const dg::FoundCheckpoint& checkpoint);
};

/// A name for a run that begins, unlike any other: 32 hexadecimal digits.
[[nodiscard]] std::string new_run_id();

}  // namespace maxwell_dg::simulation
