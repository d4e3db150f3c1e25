#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dg/mesh/mesh.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// A cube of 2 m, the middle third of which is the region `near`.
dg::Mesh cube_in_cube() {
  dg::Mesh mesh = dg::make_box({.min = {-1, -1, -1}, .max = {1, 1, 1}, .cells = {6, 6, 6}});
  mesh.regions = {"near", "air"};
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const dg::Point c = centroid(mesh, mesh.cells[k]);
    mesh.cell_region[k] = std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])}) < 1.0 / 3 ? 0 : 1;
  }
  return mesh;
}

constexpr const char* config = R"yaml(mesh: {file: cube.h5}
solver: {order: 3}
time: {end: "35 ns"}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - type: dipole
    at: [0.03, 0.02, -0.05]
    moment: [0, 0, 1.0e-9]
    waveform: {type: gaussian_pulse, frequency: "250 MHz", bandwidth: "200 MHz", amplitude: 3}
outputs:
  far_field: {enclosing: near, frequencies: ["220 MHz", "250 MHz"], theta: {from: 0, to: 180, step: 30}, phi: [0, 50],
              pattern_step: 30}
)yaml";

TEST(Radiation, of_a_dipole_has_its_power_and_directivity) {
  const TemporaryDirectory directory;
  dg::write_mesh(cube_in_cube(), directory / "cube.h5");
  const Outcome outcome = run_config(directory.path(), config, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;

  // mu_0 p^2 omega^4 / (12 pi c_0), the waveform's amplitude divided out.
  const auto summary = nlohmann::json::parse(content_of(directory / "out/summary.json"));
  ASSERT_EQ(summary["radiated_power"].size(), 2U);
  for (const auto& entry : summary["radiated_power"]) {
    const double omega = 2 * std::numbers::pi * entry["frequency"].get<double>();
    const double expected = 1.25663706212e-6 * 1e-18 * std::pow(omega, 4) / (12 * std::numbers::pi * 299792458.0);
    EXPECT_NEAR(entry["power"].get<double>() / expected, 1, 0.01) << entry;
  }

  std::istringstream rows(content_of(directory / "out/radiation.csv"));
  std::string line, cell;
  std::getline(rows, line);
  EXPECT_EQ(line, "frequency,theta_deg,phi_deg,directivity,directivity_dbi,E_theta_re,E_theta_im,E_phi_re,E_phi_im");
  int count = 0;
  for (; std::getline(rows, line); ++count) {
    std::istringstream cells(line);
    std::vector<double> row;
    while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
    EXPECT_NEAR(row[3], 1.5 * std::pow(std::sin(row[1] * std::numbers::pi / 180), 2), 0.015) << line;
  }
  EXPECT_EQ(count, 2 * 2 * 7);

  // summary.json has the rows of antenna.csv.
  const dg::Table antenna = dg::read_csv(directory / "out/antenna.csv");
  EXPECT_EQ(antenna.columns(),
            (std::vector<std::string>{"frequency", "directivity_dbi", "theta_deg", "phi_deg", "front_to_back_db",
                                      "beam_width_e_deg", "beam_width_h_deg", "radiated_power"}));
  ASSERT_EQ(antenna.rows(), 2U);
  ASSERT_EQ(summary["antenna"].size(), 2U);
  for (std::size_t row = 0; row < 2; ++row) {
    const nlohmann::json& entry = summary["antenna"][row];
    EXPECT_EQ(entry.size(), antenna.columns().size());
    for (const std::string& name : antenna.columns()) {
      const double value = antenna.column(name)[row];
      EXPECT_EQ(entry.at(name), std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr)) << name;
    }
    EXPECT_NEAR(antenna.column("directivity_dbi")[row], 10 * std::log10(1.5), 0.03);
    EXPECT_NEAR(antenna.column("theta_deg")[row], 90, 2);
    EXPECT_NEAR(antenna.column("front_to_back_db")[row], 0, 0.1);
    EXPECT_NEAR(antenna.column("beam_width_e_deg")[row], 90, 1);
    EXPECT_TRUE(std::isnan(antenna.column("beam_width_h_deg")[row])) << "it radiates all around";
  }
  for (const char* surface : {"out/pattern_000.vtp", "out/pattern_001.vtp"}) {
    EXPECT_NE(content_of(directory / surface).find("NumberOfPoints=\"91\""), std::string::npos) << surface;
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
