#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/observe/files/sink.hpp"

namespace maxwell_dg::dg {

/// The files of a series of snapshots. One rank writes STEM.vtu. Of several ranks each writes the cells that it has,
/// STEM_r0003.vtu (none where it has no cell), and the first one STEM.pvtu, which stands for all of them.
class SnapshotFiles {
 public:
  /// Collective.
  SnapshotFiles(std::filesystem::path directory, SnapshotSeries series, core::Communicator ranks);

  /// This rank's file. Throws OutputError.
  void write(const std::string& stem, std::span<const double> values) const;
  /// Writes STEM.pvtu, where there are several ranks, after all of them have written theirs. For the first rank alone.
  /// Throws OutputError.
  void write_whole(const std::string& stem) const;
  /// Of the file that stands for the whole: ".vtu" or ".pvtu".
  [[nodiscard]] std::string extension() const;
  /// Removes the files of this stem that another number of ranks has left. For the first rank alone.
  void remove_those_of_other_ranks(const std::string& stem) const;

 private:
  [[nodiscard]] std::filesystem::path piece(const std::string& stem, int rank) const;

  std::filesystem::path directory_;
  SnapshotSeries series_;
  core::Communicator ranks_;
  std::vector<int> ranks_with_cells_;  ///< on the first rank
};

/// The snapshots of a series as such files: over time with a list of them, NAME.pvd, which has a snapshot when all
/// ranks have completed it; over frequency numbered from 0 on. Collective.
[[nodiscard]] std::unique_ptr<Snapshots> begin_snapshot_files(const std::filesystem::path& directory,
                                                              SnapshotSeries series, const core::Communicator& ranks);

/// Throws an OutputError on all ranks where `failure` is not empty on one of them: why it failed. Of several ranks the
/// text names that rank and its host. Collective.
void throw_on_all(const core::Communicator& ranks, const std::string& failure);

}  // namespace maxwell_dg::dg
