#pragma once

#include <filesystem>
#include <fstream>
#include <vector>

#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::rtcg {

/// Remembers on disk what is being tried, so that a candidate that takes the process with it is known to the next one.
class TryJournal {
 public:
  /// A file that cannot be written remembers nothing.
  explicit TryJournal(std::filesystem::path file);

  /// What earlier processes began and never ended.
  [[nodiscard]] const std::vector<Configuration>& fatal() const { return fatal_; }

  void begin(const Configuration& configuration);
  void end();
  /// Removes the file: the question is answered.
  void close();

 private:
  std::filesystem::path file_;
  std::vector<Configuration> fatal_;
  std::ofstream stream_;
};

}  // namespace maxwell_dg::rtcg
