#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"

/// An archive as an HDF5 file, checkpoint_000123.h5, named by the step. Root attributes: `format`, "maxwell_dg
/// checkpoint"; `version`, 2 (since then a state may be in the basis of the element; version 1 can still be read); and
/// `sha256`, the digest of all names, types, shapes and values. Each array and each text is a dataset.
namespace maxwell_dg::dg {

/// A file that is damaged or no checkpoint; says why.
struct DamagedCheckpoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes the file atomically; its whole content is in memory meanwhile. Throws OutputError.
void write_checkpoint(const Archive& archive, const std::filesystem::path& file);

/// Reads the whole content and verifies its digest. Throws DamagedCheckpoint.
[[nodiscard]] Archive read_checkpoint(const std::filesystem::path& file);

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
/// warning for each damaged one on the way.
[[nodiscard]] std::optional<FoundCheckpoint> newest_checkpoint(const std::filesystem::path& directory,
                                                               std::optional<long> before = {});
/// Logs that warning.
void warn_of_damage(const CheckpointName& name, const DamagedCheckpoint& damaged);

}  // namespace maxwell_dg::dg
