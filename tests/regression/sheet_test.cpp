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

namespace maxwell_dg::testing {
namespace {

/// A tube between plates with a named surface inside, at z = 0.
dg::Mesh tube_with_film() {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, -2}, .max = {0.3, 0.3, 2}, .cells = {1, 1, 14}});
  name_faces(mesh, "film", [](const dg::Point& x) { return std::abs(x[2]) < 1e-9; });
  dg::prepare(mesh, "tube", dg::Orientation::any);
  return mesh;
}

/// With a resistance of half that of space: half of the amplitude is reflected, half gets through.
const char* const tube = R"yaml(units: normalized
mesh: {file: tube.h5}
solver: {order: 4, precision: double}
time: {end: 7}
materials: [{region: "*"}]
boundaries:
  - {region: [x_min, x_max], type: pec}
  - {region: [y_min, y_max], type: pmc}
  - {region: [z_min, z_max], type: absorbing}
  - {region: film, type: sheet, resistance: 0.5}
sources:
  - {type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], injection: {type: scattered_field},
     waveform: {type: expression, value: "exp(-(t-2.5)^2/0.18)"}}
outputs:
  probes: [{name: before, at: [0.1, 0.1, -1]}, {name: behind, at: [0.1, 0.1, 1]}]
  energy: {every: 1000}
)yaml";

class Sheet : public ::testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& assignments = {}) {
    dg::write_mesh(tube_with_film(), directory_ / "tube.h5");
    std::vector<std::string> arguments = with_set(assignments);
    arguments.emplace_back("--quiet");
    return run_config(directory_.path(), tube, arguments);
  }
  const TemporaryDirectory directory_;
};

TEST_F(Sheet, scatters_a_wave_as_its_resistance_says) {
  const Outcome outcome = run();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const dg::Table probes = dg::read_csv(directory_ / "out/probes.csv");
  const std::vector<double>& time = probes.column("time");
  for (const char* place : {"before.Ex", "behind.Ex"}) {
    double worst = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      const double since = time[i] - 2.5 - 1;
      worst = std::max(worst, std::abs(probes.column(place)[i] + 0.5 * std::exp(-since * since / 0.18)));
    }
    EXPECT_LT(worst, 1e-3) << place;
  }
}

TEST_F(Sheet, must_lie_between_elements) {
  expect_error(run({"boundaries.3.region=z_min"}), 2,
               "boundaries.3.region: none of its faces lies between two elements, where a sheet has to be");
}

TEST_F(Sheet, is_of_a_surface_that_the_mesh_has) {
  expect_error(run({"boundaries.3.region=fim"}), 2, "boundaries.3.region: the mesh has no surface 'fim'");
}

TEST_F(Sheet, is_covered_once) {
  expect_error(run({"boundaries=[{region: '*', type: pec}, {region: film, type: sheet, resistance: 1}, "
                    "{region: film, type: sheet, resistance: 2}]"}),
               2, "boundaries.2.region: covers faces that another sheet covers already");
}

}  // namespace
}  // namespace maxwell_dg::testing
