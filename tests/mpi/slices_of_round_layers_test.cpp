#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/support/round_layer.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// A PML in a spherical shell of curved elements, of which each rank has a piece or nothing.
namespace maxwell_dg::testing {
namespace {

const char* const ball_config = R"yaml(
mesh: {file: ball.h5, slices_above: 0}
units: normalized
solver: {order: 2, precision: double}
device: cpu
time: {end: 2}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: pec}]
sources:
  - type: dipole
    kind: electric
    at: [0.21, 0.13, 0.32]
    moment: [0, 0, 1]
    waveform: {type: ricker, frequency: 0.3, delay: 1}
outputs:
  energy: {every: 1, balance: true}
  probes: [{name: p, at: [0.31, 0.12, 0.23]}]
)yaml";

void expect_results_of_whole(const dg::testing::RoundLayerShape& shape, std::size_t curved_elements) {
  const TemporaryDirectory directory;
  dg::testing::RoundLayer ball = dg::testing::round_layer(shape);
  dg::testing::name_core_and_shell(ball);
  dg::write_mesh(ball.mesh, directory / "ball.h5");
  write_file_atomically(directory / "config.yaml", std::string_view(ball_config));
  const auto run = [&](int ranks) {
    const std::vector<std::string> arguments{(directory / "config.yaml").string(), "--output",
                                             (directory / std::to_string(ranks)).string(), "--set",
                                             "pml={region: shell, thickness: " + std::to_string(ball.thickness) + "}"};
    Outcome outcome =
        ranks == 1 ? run_program(arguments, directory.path()) : run_on_ranks(ranks, arguments, directory.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::ifstream summary(directory / std::to_string(ranks) / "summary.json");
    EXPECT_EQ(nlohmann::json::parse(summary).at("curved_elements").get<std::size_t>(), curved_elements);
    EXPECT_EQ(outcome.err.find("each rank reads the whole mesh"), std::string::npos) << outcome.err;
  };
  run(1);
  for (const int ranks : {2, 7}) {
    run(ranks);
    expect_same_tables(directory / std::to_string(ranks), directory / "1", 1e-12);
  }
}

TEST(SlicesOfRoundLayers, have_the_results_of_the_whole_mesh) {
  expect_results_of_whole({.part = dg::testing::PartOfBall::whole}, 32);
}

/// Of 48 elements in the PML 32 are straight, and count as curved, too; the eight of the core do not.
TEST(SlicesOfRoundLayers, have_the_results_of_the_whole_mesh_where_elements_are_straight_amid_curved_ones) {
  expect_results_of_whole({.part = dg::testing::PartOfBall::whole, .layers = 2}, 48);
}

}  // namespace
}  // namespace maxwell_dg::testing
