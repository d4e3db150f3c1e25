#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::rtcg {

/// Remembers on disk what is being tried, so that a candidate that takes the process with it is known to the next one.
///
/// A process may also be ended by somebody else while a candidate runs: by Ctrl-C, or by a batch system. So it takes
/// two ends to condemn a candidate, or one failure that was seen to be its own.
class TryJournal {
 public:
  /// Without a path, and with that of a file that cannot be written, nothing is remembered.
  explicit TryJournal(std::filesystem::path file);

  /// What broke the device, or was running when processes ended, twice.
  [[nodiscard]] const std::vector<Configuration>& fatal() const { return fatal_; }
  /// What was running when one process ended.
  [[nodiscard]] const std::vector<Configuration>& suspected() const { return suspected_; }

  void begin(const Configuration& configuration);
  void end();
  /// The device is lost, and what was begun is to blame.
  void blame();
  /// Removes the file: the question is answered, and all suspicion forgotten.
  void close();

 private:
  void write(std::string_view line);

  std::filesystem::path file_;
  std::vector<Configuration> fatal_;
  std::vector<Configuration> suspected_;
  std::ofstream stream_;
};

}  // namespace maxwell_dg::rtcg
