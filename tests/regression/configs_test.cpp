#include <algorithm>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/must_fail/app/program.hpp"
#include "tests/regression/shipped_config.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

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

TEST_P(ShippedConfig, passes_its_check_and_runs_for_ten_steps) {
  const TemporaryDirectory directory;
  std::vector<std::string> arguments = ten_steps_of(GetParam(), directory.path());
  if (arguments.empty()) GTEST_SKIP() << "this build has no Gmsh to make the mesh";
  arguments.insert(arguments.end(), {"--output", (directory / "out").string()});
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

INSTANTIATE_TEST_SUITE_P(configs, ShippedConfig, ::testing::ValuesIn(shipped_configs()),
                         [](const auto& config) { return config.param; });

}  // namespace
}  // namespace maxwell_dg::testing
