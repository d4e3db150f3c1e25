#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Runs whose ranks read the mesh by slices have the results, and the errors, of those with the whole of it.
namespace maxwell_dg::testing {
namespace {

/// Two regions; periodic along x; curved where z is small.
dg::Mesh mesh_with_everything() {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {5, 4, 3}});
  mesh.regions = {"left", "right"};
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    mesh.cell_region[k] = dg::centroid(mesh, mesh.cells[k])[1] > 0.5 ? 1 : 0;
  }
  dg::curve(mesh, 2, [](const dg::Point& x) {
    const double by = 0.1 * std::max(0.0, 0.5 - x[2]);
    return dg::Point{x[0], x[1], x[2] + by * std::sin(2 * M_PI * x[0]) * x[1]};
  });
  dg::prepare(mesh, "here", dg::Orientation::any);
  return mesh;
}

/// The probes lie within elements, where all ranks agree which one that is.
const std::string config = R"yaml(
mesh: {file: mesh.h5}
units: normalized
solver: {order: 2, precision: double}
device: cpu
time: {end: 0.5}
materials: [{region: left, epsilon_r: 2, sigma: 0.1}, {region: right, epsilon_r: "1 + x*y"}]
boundaries:
  - {region: x_min, type: periodic, with: x_max}
  - {region: z_max, type: absorbing}
  - {region: "*", type: pec}
initial_fields: {E: ["0", "0", "sin(3*y)"]
}
sources: [{type: current, region: right, density: ["sin(3*t)*y*(1-y)", "0", "0"]}]
outputs: {energy: {every: 1}, probes: [{name: p, at: [0.31, 0.42, 0.53]}, {name: q, at: [0.91, 0.82, 0.17]}]}
)yaml";

class Slices : public ::testing::Test {
 protected:
  Slices() {
    dg::write_mesh(mesh_with_everything(), directory_ / "mesh.h5");
    write_file_atomically(directory_ / "config.yaml", config);
  }

  [[nodiscard]] Outcome run(int ranks, const std::string& out, const std::vector<std::string>& set = {}) const {
    std::vector<std::string> arguments{(directory_ / "config.yaml").string(), "--output", (directory_ / out).string()};
    for (const std::string& more : with_set(set)) arguments.push_back(more);
    return ranks == 1 ? run_program(arguments, directory_.path()) : run_on_ranks(ranks, arguments, directory_.path());
  }

  TemporaryDirectory directory_;
};

constexpr const char* by_slices = "mesh.slices_above=0";
constexpr const char* whole_text = "each rank reads the whole mesh";

TEST_F(Slices, have_the_results_of_the_whole_mesh) {
  ASSERT_EQ(run(1, "1").exit_code, 0);
  for (const int ranks : {2, 3, 4, 7}) {
    const Outcome outcome = run(ranks, std::to_string(ranks), {by_slices});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find(whole_text), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("divided by curve"), std::string::npos) << outcome.err;
    expect_same_tables(directory_ / std::to_string(ranks), directory_ / "1", 1e-12);
    const auto parts = nlohmann::json::parse(content_of(directory_ / std::to_string(ranks) / "summary.json"));
    const auto whole = nlohmann::json::parse(content_of(directory_ / "1/summary.json"));
    for (const char* number : {"elements", "curved_elements", "dofs", "steps", "dt"}) {
      EXPECT_EQ(parts[number], whole[number]) << number;
    }
    std::size_t elements = 0;
    for (const auto& rank : parts["ranks"]) elements += rank["elements"].get<std::size_t>();
    EXPECT_EQ(elements, whole["elements"].get<std::size_t>());
  }
}

TEST_F(Slices, of_a_box_have_the_results_of_the_whole_mesh) {
  const std::string box = "mesh={box: {min: [0, 0, 0], max: [1, 1, 1], cells: [4, 5, 3]}, slices_above: ";
  const std::string medium = R"(materials=[{region: "*", epsilon_r: 2}])", source = "sources=[]";
  ASSERT_EQ(run(1, "1", {box + "0}", medium, source}).exit_code, 0);
  const Outcome outcome = run(3, "3", {box + "0}", medium, source});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find(whole_text), std::string::npos) << outcome.err;
  expect_same_tables(directory_ / "3", directory_ / "1", 1e-12);
}

TEST_F(Slices, are_for_large_meshes) {
  const Outcome outcome = run(2, "2");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find(whole_text), std::string::npos) << outcome.err;
  EXPECT_EQ(run(2, "limit", {"mesh.slices_above=360"}).exit_code, 0);
}

TEST_F(Slices, write_the_fields_of_each_part) {
  const Outcome outcome = run(3, "3", {by_slices, "outputs.fields={count: 1, quantities: [E]}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find(whole_text), std::string::npos) << outcome.err;
  std::size_t cells = 0;
  for (const char* rank : {"0", "1", "2"}) {
    const std::string piece = content_of(directory_ / ("3/fields_000001_r000" + std::string(rank) + ".vtu"));
    const std::size_t number = piece.find("NumberOfCells=\"");
    ASSERT_NE(number, std::string::npos) << rank;
    cells += std::stoul(piece.substr(number + 15));
  }
  EXPECT_EQ(cells, 360U);
  EXPECT_NE(content_of(directory_ / "3/fields_000001.pvtu").find("fields_000001_r0002.vtu"), std::string::npos);
}

TEST_F(Slices, give_way_to_the_whole_mesh_with_a_reason) {
  const Outcome outcome = run(2, "2", {by_slices, "outputs.frequency_fields={frequencies: [1], quantities: [E]}"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(
                "each rank reads the whole mesh, of 360 elements: a part does not do for outputs.frequency_fields"),
            std::string::npos)
      << outcome.err;
}

TEST_F(Slices, do_not_change_what_is_said_of_a_wrong_config) {
  for (const char* wrong :
       {R"(materials=[{region: middle, epsilon_r: 1}, {region: "*", epsilon_r: 1}])",
        R"(boundaries=[{region: x_min, type: pec}])", "outputs.probes=[{name: outer, at: [2, 0.5, 0.5]}]",
        R"(boundaries=[{region: "*", type: pec}, {region: nowhere, type: pec}])"}) {
    const Outcome whole = run(2, "whole", {wrong}), slices = run(2, "slices", {wrong, by_slices});
    EXPECT_EQ(whole.exit_code, 2) << whole.err;
    EXPECT_EQ(slices.exit_code, 2) << slices.err;
    const auto errors = [](const std::string& text) {  // before what mpirun says of them
      const std::size_t first = std::min(text.find("error: "), text.size());
      return text.substr(first, text.find("\n---", first) - first);
    };
    EXPECT_EQ(errors(slices.err), errors(whole.err)) << wrong;
    EXPECT_NE(slices.err.find(whole_text), std::string::npos) << slices.err;
  }
}

TEST_F(Slices, that_diverge_are_told_by_the_rank_with_the_largest_field) {
  const Outcome outcome = run(3, "3", {by_slices, "solver.cfl=8", "time.end=400"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  const std::size_t first = outcome.err.find("the solution diverged by step ");
  ASSERT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("the solution diverged by step ", first + 1), std::string::npos) << outcome.err;
}

TEST_F(Slices, of_a_damaged_file_end_with_one_error) {
  dg::Mesh mesh = mesh_with_everything();
  mesh.cells.back()[1] = mesh.cells.back()[0];
  dg::write_mesh(mesh, directory_ / "mesh.h5");
  const Outcome outcome = run(3, "3", {by_slices});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  const std::size_t first = outcome.err.find("error: ");
  ASSERT_NE(first, std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("degenerate (flat) tetrahedron", first), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("degenerate", outcome.err.find("degenerate", first) + 1), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
