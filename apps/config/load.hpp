#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "apps/config/config.hpp"
#include "apps/config/yaml.hpp"

namespace maxwell_dg::config {

/// Reads and checks a YAML file. `overrides` are "key.path=value" (list items by number: "materials.0.sigma=1"), the
/// value in YAML, applied in order before checking. Throws ConfigError with every finding, one a line:
/// "FILE:LINE:COLUMN: key.path: what was found; what is allowed; did you mean 'x'?" `systems`: what `system` may name.
[[nodiscard]] Config load_config(const std::filesystem::path& file, std::span<const std::string> overrides = {},
                                 std::shared_ptr<const Systems> systems = known_systems());

/// The same of a document that a program has made; `name` stands in place of the file. Relative paths in it are taken
/// as they are: they start in the current directory.
[[nodiscard]] Config config_of(Value document, const std::string& name,
                               std::shared_ptr<const Systems> systems = known_systems());

/// A config of nothing but the mesh from a file; `overrides` are of keys below `mesh` alone. Throws like load_config.
[[nodiscard]] Config mesh_config(const std::filesystem::path& mesh, std::span<const std::string> overrides);

/// The config as YAML with every default filled in; loading it gives an equal config: what was written with a unit has
/// one again, so that checks for units that were left out find the same. Mesh paths become absolute.
[[nodiscard]] std::string resolved_yaml(const Config& config);

/// JSON Schema (2020-12) of the config, for editors.
[[nodiscard]] std::string json_schema(std::shared_ptr<const Systems> systems = known_systems());

/// docs/config_reference.md.
[[nodiscard]] std::string config_reference(std::shared_ptr<const Systems> systems = known_systems());

}  // namespace maxwell_dg::config
