#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
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

/// Cubes of length 1 around a dipole, so many inside and so many across a PML on all sides, in a mesh with regions.
class PmlOfCubes : public ::testing::Test {
 protected:
  Outcome run(int across, double reflection, int order, const std::vector<std::string>& more) {
    const double half = 1.0 + across;
    const int cells = 2 * across + 2;
    dg::Mesh mesh = dg::make_box({{-half, -half, -half}, {half, half, half}, {cells, cells, cells}});
    mesh.regions = {"air", "shell"};
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
      const dg::Point x = centroid(mesh, mesh.cells[k]);
      mesh.cell_region[k] = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}) > 1 ? 1 : 0;
    }
    dg::write_mesh(mesh, directory_ / "cubes.h5");
    return run_config(directory_.path(),
                      R"(units: normalized
mesh: {file: cubes.h5}
solver: {order: )" + std::to_string(order) +
                          R"(}
time: {end: 200}
materials: [{region: "*"}]
boundaries: [{region: "*", type: pec}]
pml: {region: shell, thickness: )" +
                          std::to_string(across) + ", reflection: " + std::to_string(reflection) + R"(}
sources:
  - {type: dipole, at: [0.11, 0.13, 0.17], moment: [0.3, 0.4, 1], waveform: {type: ricker, frequency: 0.1}}
)",
                      more);
  }
  const TemporaryDirectory directory_;
};

TEST_F(PmlOfCubes, too_coarse_for_its_strength_is_refused) {
  for (const int order : {1, 2, 4}) {
    expect_error(run(1, 1e-6, order, {"--check"}), 2,
                 "pml: the PML is too coarse for its strength, with about 1 element across where there are fewest: "
                 "sigma h / c is 27.63 there, and above ");
  }
}

TEST_F(PmlOfCubes, a_little_too_coarse_is_warned_of_and_two_across_or_a_weak_one_are_not) {
  const Outcome doubtful = run(1, 1e-3, 2, {"--check"});
  EXPECT_EQ(doubtful.exit_code, 0);
  EXPECT_NE(doubtful.err.find("warning: "), std::string::npos);
  EXPECT_NE(
      doubtful.err.find("sigma h / c is 13.82 there, and above 12 at order 2 fields may grow in it without bound; "
                        "take two elements or more across, or a pml.reflection of 0.0024"),
      std::string::npos)
      << doubtful.err;
  EXPECT_EQ(run(1, 1e-6, 2, {"--check", "--set", "pml.alpha=1"}).err.find("too coarse"), std::string::npos);
  for (const auto& [across, reflection] : {std::pair{2, 1e-6}, {1, 0.01}}) {
    EXPECT_EQ(run(across, reflection, 2, {"--check"}).err.find("too coarse"), std::string::npos) << across;
  }
}

TEST_F(PmlOfCubes, in_which_fields_grow_ends_the_run_and_is_named) {
  const Outcome outcome = run(1, 0.0042, 1, {"--quiet"});
  expect_error(outcome, 5, "error: the solution diverged by step ");
  expect_error(outcome, 5,
               "it is at the PML, in which fields grow where it damps too strongly for its elements: take more");
  EXPECT_EQ(outcome.err.find("cfl"), std::string::npos) << outcome.err;
}

TEST_F(PmlOfCubes, is_stable_where_nothing_is_said) {
  const Outcome outcome = run(1, 0.04, 1, {"--quiet", "--set", "outputs.energy.every=50"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("too coarse"), std::string::npos) << outcome.err;
  const std::vector<double> energy = dg::read_csv(directory_ / "out/energy.csv").column("total");
  EXPECT_LT(energy.back(), 1e-3 * *std::ranges::max_element(energy));
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
pml: {region: shell, thickness: 1.2, reflection: 1e-3}
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
