#include <cmath>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/quantity.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "rtcg/tune/ceilings.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/support/test_device.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A run of the cavity.
class OutputsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome = run_cavity(directory_.path(), with_fields());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  [[nodiscard]] std::string output(const std::string& name) const { return content_of(directory_ / ("out/" + name)); }
  [[nodiscard]] std::vector<std::vector<double>> rows(const std::string& name) const {
    std::istringstream text(output(name));
    std::string line, cell;
    std::getline(text, line);
    std::vector<std::vector<double>> result;
    while (std::getline(text, line)) {
      std::istringstream cells(line);
      auto& row = result.emplace_back();
      while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
    }
    return result;
  }

  const TemporaryDirectory directory_;
};

TEST_F(OutputsTest, the_summary_has_the_keys_that_the_contract_names) {
  const Json summary = Json::parse(output("summary.json"));
  for (const char* key : {"device",         "backend",      "precision",       "order",    "elements",
                          "dofs",           "dt",           "steps",           "time_end", "wall_seconds",
                          "setup_seconds",  "loop_seconds", "gdof_per_second", "gflops",   "roofline_fraction",
                          "kernel_variant", "compile",      "energy",          "error",    "warnings"}) {
    EXPECT_TRUE(summary.contains(key)) << key;
  }
  for (const char* key : {"kernels", "cache_hits", "cache_misses", "seconds"}) {
    EXPECT_TRUE(summary["compile"].contains(key)) << key;
  }
  EXPECT_EQ(summary["elements"], 24);
  EXPECT_EQ(summary["dofs"], 24 * 6 * 10);
  EXPECT_EQ(summary["precision"], "double");
  EXPECT_NEAR(summary["dt"].get<double>() * summary["steps"].get<double>(), 2, 1e-14);
  EXPECT_NEAR(summary["energy"]["initial"].get<double>(), 0.5,
              0.03);  // 1/2 of the integral of cos^2 cos^2 over 2 x 2 x 1
  EXPECT_LT(summary["energy"]["final"], summary["energy"]["initial"]);
  EXPECT_EQ(summary["energy"]["peak"], summary["energy"]["initial"]);
  EXPECT_NEAR(summary["energy"]["level_db"].get<double>(),
              10 * std::log10(summary["energy"]["final"].get<double>() / summary["energy"]["peak"].get<double>()),
              1e-9);
  for (const char* field : {"E", "H"}) {
    EXPECT_GT(summary["error"][field]["l2"], 0);
    EXPECT_LT(summary["error"][field]["l2"], 0.1);
    EXPECT_GT(summary["error"][field]["linf"], 0);
  }
}

TEST(Outputs, roofline_fraction_is_a_number_where_the_ceilings_of_the_device_are_known) {
  const TemporaryDirectory directory;
  const fs::path cache = directory / "cache";
  const Conditions conditions{.environment = {{"MAXWELL_DG_CACHE", cache.string()}}};
  const auto fraction = [&] {
    EXPECT_EQ(run_cavity(directory.path(), {}, conditions).exit_code, 0);
    return Json::parse(content_of(directory / "out/summary.json"))["roofline_fraction"];
  };
  EXPECT_TRUE(fraction().is_null()) << "a run does not measure the device";
  // One GB/s and a million GFLOP/s: the traffic decides.
  rtcg::keep_ceilings(test_device(), {.copy_gb_s = 1, .fma_gflops_single = 1e6, .fma_gflops_double = 1e6},
                      cache / "wisdom");
  const Json found = fraction();
  ASSERT_TRUE(found.is_number()) << found;
  const double gdof = Json::parse(content_of(directory / "out/summary.json"))["gdof_per_second"];
  EXPECT_NEAR(found.get<double>() / (gdof * 24 * 8 / 6), 1, 1e-12);  // 24 Np reals for 6 Np degrees of freedom
}

TEST_F(OutputsTest, probes_have_every_step_and_follow_the_solution) {
  EXPECT_TRUE(output("probes.csv").starts_with("time,p1.Ex,p1.Ey,p1.Ez,p1.Hx,p1.Hy,p1.Hz\n"));
  const auto table = rows("probes.csv");
  const Json summary = Json::parse(output("summary.json"));
  ASSERT_EQ(table.size(), summary["steps"].get<std::size_t>() + 1);
  EXPECT_EQ(table.back()[0], summary["time_end"].get<double>());
  for (const auto& row : table) EXPECT_NEAR(row[3], std::cos(2.221441469079183 * row[0]), 0.1);
}

TEST_F(OutputsTest, energies_never_grow_and_add_up) {
  EXPECT_TRUE(output("energy.csv").starts_with("time,electric,magnetic,total\n"));
  const auto table = rows("energy.csv");
  ASSERT_GE(table.size(), 2u);
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_DOUBLE_EQ(table[i][1] + table[i][2], table[i][3]);
    if (i > 0) {
      EXPECT_LE(table[i][3], table[i - 1][3] * (1 + 1e-12));
    }
  }
}

TEST(Outputs, a_balance_accounts_for_the_energy_and_appears_only_where_asked_for) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(directory.path(), {"--set", "outputs.energy={every: 2, balance: true}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(content_of(directory / "out/balance.csv")
                  .starts_with("time,total,upwind.power,upwind.energy,pec.power,pec.energy,unaccounted\n"));
  const dg::Table balance = dg::read_csv(directory / "out/balance.csv");
  const auto total = balance.column("total"), time = balance.column("time"), upwind = balance.column("upwind.energy"),
             power = balance.column("upwind.power"), pec = balance.column("pec.energy"),
             rest = balance.column("unaccounted");
  EXPECT_EQ(total, dg::read_csv(directory / "out/energy.csv").column("total"));
  ASSERT_GT(total.size(), 3U);
  for (std::size_t i = 1; i < total.size(); ++i) {
    EXPECT_NEAR(total[i] - total[0], upwind[i] + pec[i] + rest[i], 1e-14);
    EXPECT_NEAR(power[i] * (time[i] - time[i - 1]), upwind[i] - upwind[i - 1], 1e-14);
    EXPECT_LT(power[i], 0);
    EXPECT_LT(std::abs(rest[i]), 1e-4 * total[0]);
  }
  ASSERT_EQ(run_cavity(directory.path(), {"--output", (directory / "other").string()}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(directory / "other/balance.csv"));
}

/// Two sides with a PML, planes of symmetry, an impedance.
constexpr const char* many_powers = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [2, 2, 2], cells: [4, 4, 4]}}
solver: {order: 1}
time: {end: 0.2}
materials: [{region: "*", sigma: 0.1}]
boundaries:
  - {region: [x_max, y_max], type: pml, thickness: 0.5}
  - {region: z_max, type: impedance, impedance: 2}
  - {region: z_min, type: absorbing}
symmetry: [{plane: x, kind: magnetic}, {plane: y, kind: magnetic}]
sources: [{type: dipole, at: [0, 0, 1.1], moment: [0, 0, 1], waveform: {type: ricker, frequency: 0.7}}]
outputs: {energy: {every: 1, balance: true}}
)yaml";

TEST(Outputs, the_guide_names_the_powers_of_a_balance) {
  const std::string guide = content_of(MAXWELL_DG_SOURCE_DIR "/docs/user_guide.md");
  const std::vector<std::string> nothing, poles{"materials.0.dispersion=[{model: debye, delta_epsilon: 1, tau: 1}]"};
  for (const std::vector<std::string>& assignments : {nothing, poles}) {
    const TemporaryDirectory directory;
    const Outcome outcome = run_config(directory.path(), many_powers, with_set(assignments));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    int found = 0;
    const dg::Table balance = dg::read_csv(directory / "out/balance.csv");
    for (const std::string& column : balance.columns()) {
      if (!column.ends_with(".power")) continue;
      ++found;
      const std::string name = column.substr(0, column.size() - std::string(".power").size());
      // All kinds of PML with poles are told by one of them.
      const std::string told = std::regex_replace(name, std::regex("^pmly?_"), "pmlx_");
      EXPECT_NE(guide.find("`" + told + "`"), std::string::npos) << name;
    }
    EXPECT_EQ(found, assignments.empty() ? 9 : 10);
  }
}

TEST(Outputs, fields_on_a_surface_are_small_files_of_its_faces) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(
      directory.path(), {"--set", "outputs.surface_fields={surfaces: [z_max, x_min], count: 2, quantities: [E]}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("surface_fields.pvd (3 snapshots)"), std::string::npos) << outcome.err;
  EXPECT_NE(content_of(directory / "out/surface_fields.pvd").find("surface_fields_000002.vtu"), std::string::npos);
  const std::string file = content_of(directory / "out/surface_fields_000002.vtu");
  EXPECT_NE(file.find("NumberOfPoints=\"72\" NumberOfCells=\"12\""), std::string::npos)  // 8 + 4 faces of order 2
      << file.substr(0, 400);
  EXPECT_EQ(file.find("\"H\""), std::string::npos);
}

TEST_F(OutputsTest, the_time_series_lists_files_that_are_there) {
  const std::string series = output("fields.pvd");
  std::size_t count = 0;
  for (std::size_t at = 0; (at = series.find("file=\"", at)) != std::string::npos; ++count) {
    at += 6;
    const std::string name = series.substr(at, series.find('"', at) - at);
    EXPECT_TRUE(output(name).ends_with("</VTKFile>\n")) << name;
  }
  EXPECT_EQ(count, 3u);  // the beginning, and the two asked for
  EXPECT_NE(series.find("timestep=\"2\""), std::string::npos) << series;
}

TEST(Outputs, frequency_fields_are_files_of_real_and_imaginary_parts_and_their_memory_is_forecast) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(
      directory.path(), {"--set", "outputs.frequency_fields={frequencies: [0.2, 0.35355], quantities: [E]}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* name : {"out/frequency_fields_000.vtu", "out/frequency_fields_001.vtu"}) {
    const std::string file = content_of(directory / name);
    EXPECT_TRUE(file.ends_with("</VTKFile>\n")) << name;
    EXPECT_NE(file.find("\"E_re\""), std::string::npos);
    EXPECT_NE(file.find("\"E_im\""), std::string::npos);
    EXPECT_EQ(file.find("\"H_re\""), std::string::npos);
  }
  EXPECT_NE((outcome.out + outcome.err).find("frequency_fields_*.vtu (2)"), std::string::npos);
  const TemporaryDirectory other;
  ASSERT_EQ(run_cavity(other.path()).exit_code, 0);
  const auto forecast = [](const TemporaryDirectory& d) {
    return Json::parse(content_of(d / "out/summary.json"))["device_bytes"]["forecast"].get<double>();
  };
  const int row = 256;  // of 24 * 10 values
  EXPECT_EQ(forecast(directory) - forecast(other), 2 * 2 * 3 * row * 8);
}

TEST(Outputs, a_transform_of_fields_that_have_not_died_away_is_a_warning) {
  const std::string open = R"yaml(units: normalized
mesh: {box: {min: [-1, -1, -1], max: [1, 1, 1], cells: [4, 4, 4]}}
solver: {order: 2, precision: double}
time: {end: 40}
materials: [{region: "*"}]
boundaries: [{region: "*", type: absorbing}]
sources: [{type: dipole, at: [0.1, 0.1, 0.1], moment: [0, 0, 1], waveform: {type: ricker, frequency: 0.2}}]
)yaml";
  const TemporaryDirectory directory;
  const auto said_of = [&](const std::string& end, const std::string& source) {
    const Outcome outcome = run_config(
        directory.path(), open,
        with_set({"time.end=" + end, "outputs.frequency_fields={frequencies: [0.2]}", "sources.0.waveform=" + source}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  const std::string ricker = "{type: ricker, frequency: 0.2}", sine = "{type: sine, frequency: 0.2}";
  const std::string warning = "ends before the fields have died away: the energy at ";
  EXPECT_EQ(said_of("40", ricker).find(warning), std::string::npos);
  const std::string cut = said_of("8", ricker);
  EXPECT_NE(cut.find("warning: frequency_fields: the run " + warning), std::string::npos) << cut;
  EXPECT_NE(cut.find("dB of its peak (wanted: -40 dB). Results miss what would follow, up to about "),
            std::string::npos)
      << cut;
  EXPECT_EQ(said_of("40", sine).find(warning), std::string::npos) << "of a sine the steady state is taken";
}

TEST(Outputs, the_last_line_says_how_far_the_energy_has_fallen) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(directory.path(), with_set({"outputs.energy=null"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json energy = Json::parse(content_of(directory / "out/summary.json"))["energy"];
  EXPECT_NE(outcome.err.find("\nenergy: peak " + core::brief(energy["peak"].get<double>()) + " -> final " +
                             core::brief(energy["final"].get<double>()) + " ("),
            std::string::npos)
      << outcome.err;
}

TEST(Outputs, a_frequency_that_the_mesh_carries_badly_is_a_warning) {
  const TemporaryDirectory directory;
  const Outcome outcome =
      run_cavity(directory.path(), {"--set", "outputs.frequency_fields={frequencies: [0.2, 0.4]}", "--check"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: "), std::string::npos);
  // N / (f longest edge): the diagonal of a unit cube.
  EXPECT_NE(outcome.err.find("outputs.frequency_fields.frequencies: at 0.4 the mesh has 2.887 nodes per wavelength"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
