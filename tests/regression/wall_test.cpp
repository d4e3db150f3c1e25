#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/mesh.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/unit/observe/temporary_directory.hpp"
#include "tests/unit/observe/vtu_reader.hpp"

namespace maxwell_dg::testing {
namespace {

/// A tube between plates with a wall inside, at z = 0.
dg::Mesh tube_with_wall() {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, -2}, .max = {0.3, 0.3, 2}, .cells = {1, 1, 14}});
  mesh.regions = {"front", "middle", "back"};
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const double z = centroid(mesh, mesh.cells[k])[2];
    mesh.cell_region[k] = z < 0 ? 0 : z < 1 ? 1 : 2;
  }
  name_faces(mesh, "wall", [](const dg::Point& x) { return std::abs(x[2]) < 1e-9; });
  dg::prepare(mesh, "tube", dg::Orientation::any);
  return mesh;
}

const char* const tube_config = R"yaml(units: normalized
mesh: {file: mesh.h5}
solver: {order: 4, precision: double}
time: {end: 7}
materials: [{region: "*"}]
boundaries:
  - {region: [x_min, x_max], type: pec}
  - {region: [y_min, y_max], type: pmc}
  - {region: [z_min, z_max], type: absorbing}
  - {region: wall, type: pec}
sources:
  - {type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], injection: {type: scattered_field},
     waveform: {type: expression, value: "exp(-(t-2.5)^2/0.18)"}}
outputs:
  probes: [{name: before, at: [0.1, 0.1, -1]}, {name: behind, at: [0.1, 0.1, 1]}]
  energy: {every: 1000}
)yaml";

/// Three boxes in each other, with a dipole above a plate that is the lower side of the innermost one.
dg::Mesh boxes_with_plate() {
  dg::Mesh mesh = dg::make_box({.min = {-1.5, -1.5, -1.5}, .max = {1.5, 1.5, 1.5}, .cells = {12, 12, 12}});
  mesh.regions = {"near", "shell", "air"};
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const dg::Point x = centroid(mesh, mesh.cells[k]);
    const double far = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
    mesh.cell_region[k] = far < 0.5 ? 0 : far < 1 ? 1 : 2;
  }
  name_faces(mesh, "plate", [](const dg::Point& x) {
    return std::abs(x[2] + 0.5) < 1e-9 && std::max(std::abs(x[0]), std::abs(x[1])) < 0.5 + 1e-9;
  });
  dg::prepare(mesh, "boxes", dg::Orientation::any);
  return mesh;
}

const char* const boxes_config = R"yaml(units: normalized
mesh: {file: mesh.h5}
solver: {order: 2}
time: {end: 40}
materials: [{region: "*"}]
boundaries:
  - {region: plate, type: pec}
  - {region: "*", type: absorbing}
sources:
  - {type: dipole, at: [0.03, 0.02, 0.01], moment: [1, 0, 0.3], waveform: {type: gaussian_pulse, frequency: 0.2, bandwidth: 0.2}}
outputs:
  far_field: {enclosing: near, frequencies: [0.2], theta: {from: 0, to: 180, step: 30}, phi: [0, 90]}
)yaml";

class Wall : public ::testing::Test {
 protected:
  Outcome run(const dg::Mesh& mesh, const std::string& config, const std::vector<std::string>& assignments = {}) {
    dg::write_mesh(mesh, directory_ / "mesh.h5");
    std::vector<std::string> arguments = with_set(assignments);
    arguments.emplace_back("--quiet");
    return run_config(directory_.path(), config, arguments);
  }
  const TemporaryDirectory directory_;
};

TEST_F(Wall, reflects_on_one_side_and_lets_nothing_through) {
  for (const auto& [type, reflected] : {std::pair{"pec", -1.0}, std::pair{"pmc", 1.0}}) {
    const Outcome outcome = run(tube_with_wall(), tube_config, {std::string("boundaries.3.type=") + type});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const dg::Table probes = dg::read_csv(directory_ / "out/probes.csv");
    const std::vector<double>& time = probes.column("time");
    for (const auto& [place, sign] : {std::pair{"before.Ex", reflected}, std::pair{"behind.Ex", -1.0}}) {
      double worst = 0;
      for (std::size_t i = 0; i < time.size(); ++i) {
        const double since = time[i] - 2.5 - 1;
        worst = std::max(worst, std::abs(probes.column(place)[i] - sign * std::exp(-since * since / 0.18)));
      }
      EXPECT_LT(worst, 1e-3) << type << ", " << place;
    }
  }
}

/// n x H on each side, with n away from the wall.
TEST_F(Wall, carries_on_each_side_the_current_that_tangential_H_says) {
  const Outcome outcome =
      run(tube_with_wall(), tube_config,
          {"time.end=2.5", "outputs.surface_fields={surfaces: wall, count: 1, quantities: [J, H]}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto file = directory_ / "out/surface_fields_000001.vtu";
  const std::vector<double> J = read_vtu_array(file, "J"), H = read_vtu_array(file, "H");
  ASSERT_EQ(J.size(), H.size());
  std::array<int, 2> points{};  // of the front side, where n points to -z, and of the other
  double largest = 0;
  for (std::size_t i = 0; i < J.size(); i += 3) {
    const double n = (J[i] > 0) == (H[i + 1] > 0) ? -1 : 1;
    ++points.at(n < 0 ? 0 : 1);
    EXPECT_NEAR(J[i], -n * H[i + 1], 1e-12);
    EXPECT_NEAR(J[i + 1], n * H[i], 1e-12);
    EXPECT_EQ(J[i + 2], 0);
    largest = std::max(largest, std::abs(J[i]));
  }
  EXPECT_EQ(points[0], points[1]);
  EXPECT_GT(largest, 0.5);
}

/// A pulse from the front and another of half its size from the back reach the wall at t = 1: H_y is 2 before it and -1
/// behind it. With n away from the wall n x H is (2, 0, 0) and (1, 0, 0), and together n x (H+ - H-) = (3, 0, 0), the
/// current that stops both waves.
TEST_F(Wall, carries_the_currents_of_the_waves_that_it_stops) {
  const auto pulses = [](const char* sign) {
    return "exp(-(z + 1)^2/0.18) " + std::string(sign) + " 0.5*exp(-(z - 1)^2/0.18)";
  };
  const Outcome outcome =
      run(tube_with_wall(), tube_config,
          {"time.end=1", "sources=[]", "outputs={surface_fields: {surfaces: wall, count: 1, quantities: [J, H]}}",
           "initial_fields={E: [\"" + pulses("+") + "\", \"0\", \"0\"], H: [\"0\", \"" + pulses("-") + "\", \"0\"]}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto file = directory_ / "out/surface_fields_000001.vtu";
  const std::vector<double> J = read_vtu_array(file, "J"), H = read_vtu_array(file, "H");
  ASSERT_EQ(J.size(), H.size());
  std::size_t before = 0;
  for (std::size_t i = 0; i < J.size(); i += 3) {
    const bool is_before = H[i + 1] > 0;
    before += is_before ? 1 : 0;
    EXPECT_NEAR(H[i + 1], is_before ? 2 : -1, 2e-3);
    EXPECT_NEAR(J[i], is_before ? 2 : 1, 2e-3);
    EXPECT_NEAR(J[i + 1], 0, 1e-3);
    EXPECT_EQ(J[i + 2], 0);
  }
  EXPECT_GT(before, 0U);
  EXPECT_EQ(2 * 3 * before, J.size()) << "as many points on both sides";
}

TEST_F(Wall, must_not_be_the_surface_of_a_total_field) {
  const std::string wave = "sources.0.injection={type: total_field, regions: middle}";
  expect_error(run(tube_with_wall(), tube_config, {wave}), 2,
               "sources.0.injection.regions: the surface of the total-field regions must not be a wall, but some of it "
               "is 'wall'; leave elements between them");
}

/// The surface around it, with the wall in it, and one farther off: the same far field.
TEST_F(Wall, may_lie_in_the_surface_of_a_far_field) {
  const auto far_field_of = [&](const std::string& regions) {
    const Outcome outcome = run(boxes_with_plate(), boxes_config, {"outputs.far_field.enclosing=" + regions});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return dg::read_csv(directory_ / "out/radiation.csv");
  };
  const dg::Table near = far_field_of("near"), far = far_field_of("[near, shell]");
  for (const char* part : {"E_theta_re", "E_theta_im", "E_phi_re", "E_phi_im"}) {
    double largest = 0;
    for (const double x : far.column("E_theta_re")) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < far.column(part).size(); ++i) {
      EXPECT_NEAR(near.column(part)[i], far.column(part)[i], 0.02 * largest) << part << ", row " << i;
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
