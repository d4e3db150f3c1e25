#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/quantity.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

/// Every config that ships.
std::vector<std::string> configs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(MAXWELL_DG_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

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
  if (config == "coaxial_bead") return {"--set", "outputs.s_parameters=null", "--set", "sources.0.ports=near"};
  return {};
}

class ShippedConfig : public ::testing::TestWithParam<std::string> {};

/// A warning that a config says itself that it gives, or that its coarser mesh does.
bool is_expected(const std::string& config, const std::string& warning) {
  const auto says = [&](const char* text) { return warning.find(text) != std::string::npos; };
  // In ten steps no pulse comes and goes, and no interval ends.
  if (says("than the run") || says("after the run ends") || says("before the fields have died away")) return true;
  const bool thin_layer = config == "sphere_rcs" || config == "dielectric_sphere";
  return (thin_layer && says("thinner than half a wavelength")) ||
         (config == "figure6" && (says("points per wavelength") || says("the time step is")));
}

/// The mesh of figure6 is one for a GPU; here its geometry is meshed by far coarser elements, for a longer wave.
std::vector<std::string> coarser_mesh(const fs::path& directory) {
  const std::string geometry = (fs::path(MAXWELL_DG_SOURCE_DIR) / "meshes/figure6.geo").string();
  write_file_atomically(directory / "coarse.geo", "scale = 3;\nInclude \"" + geometry + "\";\n");
  return {"--set", "mesh={file: " + (directory / "coarse.geo").string() + "}",
          "--set", "solver.order=2",
          "--set", "sources.0.waveform.frequency=200 MHz"};
}

TEST_P(ShippedConfig, passes_its_check_and_runs_for_ten_steps) {
  const TemporaryDirectory directory;
  const std::string config = (fs::path(MAXWELL_DG_SOURCE_DIR) / "configs" / (GetParam() + ".yaml")).string();
  std::vector<std::string> arguments{config};
  if (GetParam() == "figure6") {
    if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh to make a coarser mesh for a test";
    std::ranges::copy(coarser_mesh(directory.path()), std::back_inserter(arguments));
  }
  if (!has_gmsh && content_of(config).find(".geo,") != std::string::npos) GTEST_SKIP() << "this build has no Gmsh";
  std::vector<std::string> checking = arguments;
  checking.emplace_back("--check");
  const Outcome check = run_program(checking, directory.path());
  ASSERT_EQ(check.exit_code, 0) << check.err;
  const std::string key = value_of(check.out, "  end").empty() ? "periods" : "end";
  std::string text = value_of(check.out, "  " + key);
  std::erase(text, '"');
  const auto number = core::parse_number(text);
  const double length = number ? *number : core::parse_quantity(text, core::Dimension::time);
  const double steps = std::stod(value_of(check.out, "# steps"));
  std::ostringstream shortened;
  shortened << "time." << key << "=" << std::scientific << length * 10 / steps;

  std::ranges::copy(without_what_needs_a_whole_run(GetParam()), std::back_inserter(arguments));
  arguments.insert(arguments.end(), {"--output", (directory / "out").string(), "--set", shortened.str()});
  const Outcome run = run_program(arguments, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto summary = nlohmann::json::parse(content_of(directory / "out/summary.json"));
  EXPECT_NEAR(summary["steps"].get<double>(), 10, 1);
  EXPECT_TRUE(std::isfinite(summary["energy"]["final"].get<double>()));
  for (const auto& warning : summary["warnings"]) {
    EXPECT_TRUE(is_expected(GetParam(), warning.get<std::string>())) << warning;
  }
}

TEST(RoundCavity, finds_the_lowest_mode_of_a_metal_ball_to_1e_minus_6) {
  if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh";
  const TemporaryDirectory directory;
  const std::string config = (fs::path(MAXWELL_DG_SOURCE_DIR) / "configs/round_cavity.yaml").string();
  const Outcome run = run_program({config, "--quiet", "--output", (directory / "out").string()}, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::istringstream rows(content_of(directory / "out/resonances.csv"));
  std::string line;
  std::getline(rows, line);
  double largest = 0, frequency = 0;
  while (std::getline(rows, line)) {  // probe,field,frequency,q,amplitude,error,doubtful
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream cells(line);
    std::string probe, field, q;
    double here = 0, amplitude = 0;
    cells >> probe >> field >> here >> q >> amplitude;
    if (std::abs(amplitude) > largest) frequency = here;
    largest = std::max(largest, std::abs(amplitude));
  }
  EXPECT_NEAR(2 * M_PI * frequency / 2.7437072699922694, 1, 1e-6) << content_of(directory / "out/resonances.csv");
}

INSTANTIATE_TEST_SUITE_P(configs, ShippedConfig, ::testing::ValuesIn(configs()),
                         [](const auto& config) { return config.param; });

}  // namespace
}  // namespace maxwell_dg::testing
