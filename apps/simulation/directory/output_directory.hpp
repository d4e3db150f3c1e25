#pragma once

#include <filesystem>
#include <string>

#include "core/directory_lock.hpp"

namespace maxwell_dg::simulation {

/// The directory that a run writes to: its own as long as the run lasts, and nothing of another run beside its results.
class OutputDirectory {
 public:
  /// Makes it where it is missing, locks it, and removes unfinished files that killed runs have left. Throws
  /// OutputError, also where another run writes to it.
  explicit OutputDirectory(std::filesystem::path path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// So that the summary of an earlier run does not pass for this one's. Throws OutputError.
  void remove_summary() const;

  /// The results that are there, "checkpoint_*.h5 (2), probes.csv"; empty where there are none. Throws OutputError.
  [[nodiscard]] std::string results() const;

  enum class Results {
    all,           ///< for a run that begins; checkpoints go first: no run can go on from one whose rows are gone
    of_later_end,  ///< for a run that goes on: what is written at the end of a run alone
  };
  /// Removes files that have the names of this program's results, and says so. Files of others stay, and so do links,
  /// whose targets are removed, pipes and devices; and where no run has left its resolved config, everything, with a
  /// warning. Throws OutputError.
  void remove_results(Results which) const;

 private:
  std::filesystem::path path_;
  DirectoryLock lock_;
};

}  // namespace maxwell_dg::simulation
