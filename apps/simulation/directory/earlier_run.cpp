#include "apps/simulation/directory/earlier_run.hpp"

#include <fstream>
#include <string_view>
#include <system_error>

#include <nlohmann/json.hpp>

#include "apps/config/load.hpp"
#include "core/error.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view run_label = "# run ", mesh_label = "# mesh ";

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// What follows the label in the first lines of the resolved config; empty where none begins with it.
std::string labelled(const fs::path& directory, std::string_view label) {
  const fs::path file = resolved_config_in(directory);
  if (!is_file(file)) return "";
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line) && line.starts_with('#');) {
    if (line.starts_with(label)) return line.substr(label.size());
  }
  return "";
}

/// Of the summary, if it is that of the run whose config is there.
std::string outcome_in(const fs::path& directory) {
  const fs::path file = directory / "summary.json";
  if (!is_file(file)) return "";
  std::ifstream stream(file);
  const nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
  const auto text = [&](const char* key) {
    const bool is_there = json.is_object() && json.contains(key) && json[key].is_string();
    return is_there ? json[key].get<std::string>() : "";
  };
  return text("run") == run_id_in(directory) ? text("outcome") : "";
}

std::optional<config::Config> config_in(const fs::path& directory) {
  try {
    return config::load_config(resolved_config_in(directory));
  } catch (const ConfigError&) {  // of a program that had other keys
    return std::nullopt;
  }
}

}  // namespace

std::optional<EarlierRun> earlier_run_in(const fs::path& directory) {
  if (!is_file(resolved_config_in(directory))) return std::nullopt;
  return EarlierRun{
      .config = config_in(directory), .mesh = labelled(directory, mesh_label), .outcome = outcome_in(directory)};
}

fs::path resolved_config_in(const fs::path& directory) {
  return directory / "config.resolved.yaml";
}

std::string run_lines(const std::string& run_id, const std::string& mesh_digest) {
  return std::string(run_label) + run_id + "\n" + std::string(mesh_label) + mesh_digest + "\n";
}

std::string run_id_in(const fs::path& directory) {
  return labelled(directory, run_label);
}

}  // namespace maxwell_dg::simulation
