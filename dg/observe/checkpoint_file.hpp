#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"

/// An archive as HDF5, version 1: root attributes `format` = "maxwell_dg checkpoint", `version` = 1 and `sha256`, the
/// digest of all names, types, shapes and values; a dataset an array or text. Named checkpoint_000123.h5 by the step.
namespace maxwell_dg::dg {

/// The file is not what was once written, or no checkpoint at all; says why.
struct DamagedCheckpoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Asks the archive for its rows and writes the file atomically. Holds the whole content in memory. Throws OutputError.
void write_checkpoint(const Archive& archive, const std::filesystem::path& file);

/// The whole content, verified. Throws DamagedCheckpoint.
[[nodiscard]] Archive read_checkpoint(const std::filesystem::path& file);

struct CheckpointName {
  std::filesystem::path path;
  long step{};
};
[[nodiscard]] std::filesystem::path checkpoint_path(const std::filesystem::path& directory, long step);
/// Those in a directory, regular files by ascending step, of the names alone. None where there is no such directory.
[[nodiscard]] std::vector<CheckpointName> checkpoints_in(const std::filesystem::path& directory);

struct FoundCheckpoint {
  CheckpointName name;
  Archive archive;
};
/// The one of the latest step that is whole, of those before a step where that is given; each damaged one is a warning.
[[nodiscard]] std::optional<FoundCheckpoint> newest_checkpoint(const std::filesystem::path& directory,
                                                               std::optional<long> before = {});
/// That warning.
void warn_of_damage(const CheckpointName& name, const DamagedCheckpoint& damaged);

}  // namespace maxwell_dg::dg
