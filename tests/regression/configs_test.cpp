#include <algorithm>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

class ShippedConfig : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedConfig, passes_its_check_and_runs_for_ten_steps) {
  const TemporaryDirectory directory;
  const std::string config = (fs::path(MAXWELL_DG_SOURCE_DIR) / "configs" / (GetParam() + ".yaml")).string();
  const Outcome check = run_program({config, "--check"}, directory.path());
  ASSERT_EQ(check.exit_code, 0) << check.err;
  const std::string key = value_of(check.out, "  end").empty() ? "periods" : "end";
  const double length = std::stod(value_of(check.out, "  " + key));
  const double steps = std::stod(value_of(check.out, "# steps"));
  std::ostringstream shortened;
  shortened << "time." << key << "=" << std::scientific << length * 10 / steps;

  std::vector<std::string> arguments{config, "--output", (directory / "out").string(), "--set", shortened.str()};
  if (!has_vtk) arguments.insert(arguments.end(), {"--set", "outputs.fields=null"});
  const Outcome run = run_program(arguments, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto summary = nlohmann::json::parse(content_of(directory / "out/summary.json"));
  EXPECT_NEAR(summary["steps"].get<double>(), 10, 1);
  EXPECT_TRUE(std::isfinite(summary["energy"]["final"].get<double>()));
  const bool thin_layer = GetParam() == "sphere_rcs";  // as its comment says
  for (const auto& warning : summary["warnings"]) {
    EXPECT_TRUE(thin_layer && warning.get<std::string>().find("thinner than half a wavelength") != std::string::npos)
        << warning;
  }
}

INSTANTIATE_TEST_SUITE_P(configs, ShippedConfig, ::testing::ValuesIn(configs()),
                         [](const auto& config) { return config.param; });

}  // namespace
}  // namespace maxwell_dg::testing
