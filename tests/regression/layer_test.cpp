#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// A dipole on a conducting ground, open space by a layer inside the box on all other sides.
const char* const open_space = R"(units: normalized
mesh: {box: {min: [-1, -1, -1], max: [1, 1, 1], cells: [8, 8, 8]}}
solver: {order: 2}
time: {end: 8}
materials: [{region: "*"}]
boundaries: [{region: z_min, type: pec}, {region: "*", type: pml, thickness: 0.5}]
sources:
  - {type: dipole, at: [0.03, 0.02, 0.01], moment: [0, 0, 1],
     waveform: {type: gaussian_pulse, frequency: 1, bandwidth: 1.2}}
outputs: {energy: {every: 5}}
)";

TEST(Layer, of_a_boundary_lets_the_field_of_a_dipole_leave_the_box) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), open_space, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<double> energy = dg::read_csv(directory / "out/energy.csv").column("total");
  const double largest = *std::ranges::max_element(energy), last = energy.back();
  EXPECT_GT(largest, 1);
  EXPECT_LT(last, 1e-4 * largest);  // between walls it would all be there
}

TEST(Layer, of_a_boundary_says_how_large_and_how_strong_it_is) {
  const TemporaryDirectory directory;
  const Outcome checked = run_config(directory.path(), open_space, {"--check"});
  ASSERT_EQ(checked.exit_code, 0) << checked.err;  // two cells across, 4.2 nepers in each
  EXPECT_NE(checked.out.find("# PML: 2496 elements, 0.5 thick, 2 elements across where it is coarsest, with 6 to 12 "
                             "variables a node beside the fields; reflection 5.057e-08, by default for its elements of "
                             "order 2\n"),
            std::string::npos)
      << checked.out;
  ASSERT_EQ(run_config(directory.path(), open_space, {"--quiet", "--set", "time.end=0.1"}).exit_code, 0);
  std::ifstream file(directory / "out/summary.json");
  EXPECT_NEAR(nlohmann::json::parse(file).at("pml").at("reflection").get<double>(), std::exp(-2 * 2 * 4.2), 1e-15);
}

TEST(Layer, may_hold_fields_at_the_beginning_whose_energy_grows_before_it_decays) {
  const TemporaryDirectory directory;
  const std::string bump = "exp(-12*((x-0.75)^2+y^2+z^2))";
  const Outcome outcome = run_config(directory.path(),
                                     "units: normalized\n"
                                     "mesh: {box: {min: [-1, -1, -1], max: [1, 1, 1], cells: [8, 8, 8]}}\n"
                                     "solver: {order: 2}\ntime: {end: 6}\nmaterials: [{region: '*'}]\n"
                                     "boundaries: [{region: '*', type: pml, thickness: 0.5}]\n"
                                     "initial_fields: {H: ['-y*" +
                                         bump + "', '(x-0.75)*" + bump +
                                         "', 0]}\n"
                                         "outputs: {energy: {every: 1}}\n",
                                     {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<double> energy = dg::read_csv(directory / "out/energy.csv").column("total");
  EXPECT_GT(*std::ranges::max_element(energy), 1.1 * energy.front());
  EXPECT_LT(energy.back(), 0.1 * energy.front());
}

/// Cubes of length 1 around a dipole, two inside and one across a PML on all sides, maybe with a column of air through
/// it.
class PmlOfCubes : public ::testing::Test {
 protected:
  /// The energy at the end, over the largest.
  double last_energy(double reflection, int order, const std::string& flux, bool has_feed = false) {
    dg::Mesh mesh = dg::make_box({{-2, -2, -2}, {2, 2, 2}, {4, 4, 4}});
    mesh.regions = {"air", "shell"};
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
      const dg::Point x = centroid(mesh, mesh.cells[k]);
      const bool in_feed = has_feed && x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1 && x[2] < 0;
      mesh.cell_region[k] = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}) > 1 && !in_feed ? 1 : 0;
    }
    dg::write_mesh(mesh, directory_ / "cubes.h5");
    const Outcome outcome = run_config(directory_.path(),
                                       R"(units: normalized
mesh: {file: cubes.h5}
solver: {order: )" + std::to_string(order) +
                                           ", flux: " + flux +
                                           R"(}
time: {end: 200}
materials: [{region: "*"}]
boundaries: [{region: "*", type: pec}]
pml: {region: shell, thickness: 1, reflection: )" +
                                           core::brief(reflection) +
                                           R"(}
sources:
  - {type: dipole, at: [0.11, 0.13, 0.17], moment: [0.3, 0.4, 1], waveform: {type: ricker, frequency: 0.1}}
outputs: {energy: {every: 50}}
)",
                                       {"--quiet"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::vector<double> energy = dg::read_csv(directory_ / "out/energy.csv").column("total");
    return energy.back() / *std::ranges::max_element(energy);
  }
  const TemporaryDirectory directory_;
};

TEST_F(PmlOfCubes, of_one_element_is_stable_with_either_flux_and_whatever_its_strength) {
  EXPECT_LT(last_energy(1e-8, 1, "upwind"), 1e-3);
  EXPECT_LT(last_energy(1e-8, 2, "central"), 1e-3);
  EXPECT_LT(last_energy(1e-16, 3, "upwind"), 1e-3);
}

TEST_F(PmlOfCubes, with_a_feed_through_it_is_stable) {
  EXPECT_LT(last_energy(1e-8, 2, "upwind", true), 1e-3);
}

/// The upper half of a ball over a conducting ground, its outer shell the PML; the shape is found.
TEST(Pml, around_half_a_ball_over_a_ground_lets_the_field_of_a_dipole_leave) {
  if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh";
  const TemporaryDirectory directory;
  write_file_atomically(directory / "half.geo", R"(SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 3};
Sphere(2) = {0, 0, 0, 1.8};
Box(3) = {-4, -4, 0, 8, 8, 4};
whole() = BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; };
half() = BooleanIntersection{ Volume{whole()}; Delete; }{ Volume{3}; Delete; };
half() = BooleanFragments{ Volume{half()}; Delete; }{};
inner() = Volume In BoundingBox {-1.9, -1.9, -0.1, 1.9, 1.9, 1.9};
shell() = Volume {:};
shell() -= inner();
Physical Volume("air") = inner();
Physical Volume("shell") = shell();
Mesh.MeshSizeMin = 0.9;
Mesh.MeshSizeMax = 0.9;
)");
  const Outcome outcome = run_config(directory.path(), R"(units: normalized
mesh: {file: half.geo}
solver: {order: 3}
time: {end: 24}
materials: [{region: "*"}]
boundaries: [{region: "*", type: pec}]
pml: {region: shell, thickness: 1.2}
sources:
  - {type: dipole, at: [0.1, 0.13, 0.6], moment: [0, 0, 1],
     waveform: {type: gaussian_pulse, frequency: 0.3, bandwidth: 0.4}}
outputs: {energy: {every: 5}}
)",
                                     {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<double> energy = dg::read_csv(directory / "out/energy.csv").column("total");
  EXPECT_LT(energy.back(), 2e-3 * *std::ranges::max_element(energy));
}

}  // namespace
}  // namespace maxwell_dg::testing
