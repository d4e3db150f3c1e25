#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/checkpoint/archive.hpp"

/// An archive as an HDF5 file, checkpoint_000123.h5, named by the step. Root attributes: `format`, "maxwell_dg
/// checkpoint"; `version`, 2 (since then a state may be in the basis of the element; version 1 can still be read); and
/// `sha256`, the digest of all names, types, shapes and values. Each array and each text is a dataset.
namespace maxwell_dg::dg {

/// A file that is damaged or no checkpoint; says why.
struct DamagedCheckpoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes an archive as a checkpoint, atomically: the file has its name when it is complete. HDF5 lays it out in memory
/// and leaves room for arrays, whose values are written to their places in the file by plain code. So each of several
/// ranks writes the rows that it has, at the same time as the others, and none holds an array of the whole mesh. The
/// file does not tell how many ranks wrote it. Until the first rank has finished it, it is no HDF5.
class CheckpointWriter {
 public:
  /// `archive` must outlive the writer, and stay as it is. Throws OutputError, on all ranks. Collective.
  CheckpointWriter(const Archive& archive, std::filesystem::path file, const core::Communicator& ranks = {});
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  /// Writes this rank's rows of what ranks share; not collective, in any thread. Throws OutputError.
  void write_part() const;
  /// Once all ranks have written their parts: writes all else, and gives the file its name. For the first rank alone,
  /// in any thread. Throws OutputError.
  void finish();

 private:
  /// Throws std::logic_error where the archive had no such array when the file was laid out.
  [[nodiscard]] std::uint64_t place_of(const std::string& array) const;

  const Archive& archive_;
  std::filesystem::path file_, temporary_;
  std::optional<AtomicFile> atomic_;             ///< of the first rank
  std::map<std::string, std::uint64_t> places_;  ///< of arrays in the file
};

/// All of it, by one rank. Throws OutputError.
void write_checkpoint(const Archive& archive, const std::filesystem::path& path);

/// Reads the whole content piece by piece and verifies its digest; what is large stays in the file, which is open as
/// long as the archive is there. Throws DamagedCheckpoint.
[[nodiscard]] Archive read_checkpoint(const std::filesystem::path& path);

struct CheckpointName {
  std::filesystem::path path;
  long step{};
};
[[nodiscard]] std::filesystem::path checkpoint_path(const std::filesystem::path& directory, long step);
/// The regular files in a directory that have the name of a checkpoint, by ascending step; they are not opened. None if
/// there is no such directory.
[[nodiscard]] std::vector<CheckpointName> checkpoints_in(const std::filesystem::path& directory);

struct FoundCheckpoint {
  CheckpointName name;
  Archive archive;
};
/// The checkpoint of the latest step (if `before` is given, the latest before that step) that is not damaged. Logs a
/// warning for each damaged one on the way. Of several ranks the first one looks for it and verifies it, and the others
/// open that one; an OutputError on those that do not find it. Collective.
[[nodiscard]] std::optional<FoundCheckpoint> newest_checkpoint(const std::filesystem::path& directory,
                                                               std::optional<long> before = {},
                                                               const core::Communicator& ranks = {});
/// Logs that warning.
void warn_of_damage(const CheckpointName& name, const DamagedCheckpoint& damaged);

}  // namespace maxwell_dg::dg
