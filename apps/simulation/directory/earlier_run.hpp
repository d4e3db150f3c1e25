#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "apps/config/config.hpp"

namespace maxwell_dg::simulation {

/// What an output directory says of the run whose results it holds.
struct EarlierRun {
  std::optional<config::Config> config;  ///< nothing where this program cannot read it
  std::string mesh;                      ///< dg::digest of it; empty where an old program has run
  std::string outcome;                   ///< of its summary; empty where it wrote none: it was killed, or failed
};

/// Nothing where no run has left its resolved config.
[[nodiscard]] std::optional<EarlierRun> earlier_run_in(const std::filesystem::path& directory);

/// The name of the file with the resolved config, whose first lines name the run that the results belong to, and its
/// mesh.
[[nodiscard]] std::filesystem::path resolved_config_in(const std::filesystem::path& directory);
/// These lines.
[[nodiscard]] std::string run_lines(const std::string& run_id, const std::string& mesh_digest);
/// The run that they name; empty where there is no such file or line.
[[nodiscard]] std::string run_id_in(const std::filesystem::path& directory);

}  // namespace maxwell_dg::simulation
