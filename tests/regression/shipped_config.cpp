#include "tests/regression/shipped_config.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "core/quantity.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {

namespace fs = std::filesystem;

namespace {

/// What follows "KEY: " in the first line that begins so.
std::string value_of(const std::string& text, const std::string& key) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(key + ": ")) return line.substr(key.size() + 2);
  }
  return "";
}

/// Ten steps are too few for what needs a whole run; such a config has a test of its own, or one of its kind.
std::vector<std::string> without_what_needs_a_whole_run(const std::string& config) {
  if (config == "round_cavity") return {"--set", "outputs.resonances=null"};
  if (config == "loaded_line" || config == "dipole" || config == "monopole")
    return {"--set", "outputs.s_parameters=null"};
  if (config == "coaxial_bead") return {"--set", "outputs.s_parameters=null", "--set", "sources.0.ports=near"};
  return {};
}

/// The mesh of figure6 is one for a GPU; here its geometry is meshed by far coarser elements, for a longer wave.
std::vector<std::string> coarser_mesh(const fs::path& directory) {
  const std::string geometry = (fs::path(MAXWELL_DG_SOURCE_DIR) / "meshes/figure6.geo").string();
  write_file_atomically(directory / "coarse.geo", "scale = 3;\nInclude \"" + geometry + "\";\n");
  return {"--set", "mesh={file: " + (directory / "coarse.geo").string() + "}",
          "--set", "solver.order=2",
          "--set", "sources.0.waveform.frequency=200 MHz"};
}

}  // namespace

std::vector<std::string> shipped_configs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(MAXWELL_DG_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> ten_steps_of(const std::string& name, const fs::path& directory) {
  const std::string config = (fs::path(MAXWELL_DG_SOURCE_DIR) / "configs" / (name + ".yaml")).string();
  const bool needs_gmsh = name == "figure6" || content_of(config).find(".geo,") != std::string::npos;
  if (needs_gmsh && !has_gmsh) return {};
  std::vector<std::string> arguments{config};
  if (name == "figure6") std::ranges::copy(coarser_mesh(directory), std::back_inserter(arguments));
  std::vector<std::string> checking = arguments;
  checking.emplace_back("--check");
  const Outcome check = run_program(checking, directory);
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const std::string key = value_of(check.out, "  end").empty() ? "periods" : "end";
  std::string text = value_of(check.out, "  " + key);
  std::erase(text, '"');
  const auto number = core::parse_number(text);
  const double length = number ? *number : core::parse_quantity(text, core::Dimension::time);
  const double steps = std::stod(value_of(check.out, "# steps"));
  std::ostringstream shortened;
  shortened << "time." << key << "=" << std::scientific << length * 10 / steps;

  std::ranges::copy(without_what_needs_a_whole_run(name), std::back_inserter(arguments));
  arguments.insert(arguments.end(), {"--set", shortened.str()});
  return arguments;
}

}  // namespace maxwell_dg::testing
