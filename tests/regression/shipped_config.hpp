#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace maxwell_dg::testing {

/// The names of all configs that ship.
[[nodiscard]] std::vector<std::string> shipped_configs();

/// Checks one of them, and returns the arguments with which the program runs about ten steps of it; none where the
/// build has no Gmsh for its mesh. `directory` takes a coarser mesh where that of the config is one for a GPU.
[[nodiscard]] std::vector<std::string> ten_steps_of(const std::string& name, const std::filesystem::path& directory);

}  // namespace maxwell_dg::testing
