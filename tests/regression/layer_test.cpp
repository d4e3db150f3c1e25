#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/observe/csv_table.hpp"
#include "tests/must_fail/app/program.hpp"
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
  const std::vector<double> energy = dg::CsvTable(directory / "out/energy.csv").column("total");
  const double largest = *std::ranges::max_element(energy), last = energy.back();
  EXPECT_GT(largest, 1);
  EXPECT_LT(last, 1e-4 * largest);  // between walls it would all be there
}

}  // namespace
}  // namespace maxwell_dg::testing
