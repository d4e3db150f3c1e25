#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
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

/// Two regions; periodic along x; curved where z is small; a value at each vertex.
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
  for (const dg::Point& x : mesh.vertices) mesh.vertex_values["height"].push_back(1 + x[1] + x[2]);
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

  [[nodiscard]] Outcome run(int ranks, const std::string& out, const std::vector<std::string>& set = {},
                            std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.end(), {(directory_ / "config.yaml").string(), "--output", (directory_ / out).string()});
    for (const std::string& more : with_set(set)) arguments.push_back(more);
    return ranks == 1 ? run_program(arguments, directory_.path()) : run_on_ranks(ranks, arguments, directory_.path());
  }

  TemporaryDirectory directory_;
};

constexpr const char* by_slices = "mesh.slices_above=0";
constexpr const char* whole_text = "each rank reads the whole mesh";

TEST_F(Slices, have_the_results_of_the_whole_mesh) {
  ASSERT_EQ(run(1, "1").exit_code, 0);
  for (const int ranks : {2, 7}) {
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

TEST_F(Slices, are_checked_without_the_whole_mesh) {
  const auto check = [&](int ranks) {
    const Outcome outcome = run(ranks, "out", {by_slices, "outputs.fields={count: 2}"}, {"--check"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find(whole_text), std::string::npos) << outcome.err;
    return outcome.out;
  };
  expect_same_forecast(check(3), check(1));
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
  dg::Mesh mesh = mesh_with_everything();
  mesh.vertices.push_back({0.5, 0.5, 0.5});
  for (auto& [name, values] : mesh.vertex_values) values.push_back(0);
  dg::write_mesh(mesh, directory_ / "mesh.h5");
  const Outcome outcome = run(2, "2", {by_slices});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("each rank reads the whole mesh: it has vertices that no tetrahedron has"),
            std::string::npos)
      << outcome.err;
}

/// What changes the order of elements, or has each of them twice.
TEST_F(Slices, of_varying_media_and_of_complex_fields_have_the_results_of_the_whole_mesh) {
  const std::string complex =
      "boundaries=[{region: x_min, type: periodic, with: x_max, phase: 60}, {region: \"*\", type: pec}]";
  const std::vector<std::vector<std::string>> cases{
      {R"(materials=[{region: left, epsilon_r: "1 + x*y", profile: smooth}, {region: right}])"},
      {R"(materials=[{region: "*", epsilon_r: {from_mesh: height}, sigma: 0.1, profile: smooth}])"},
      {complex, R"(materials=[{region: left, epsilon_r: "1 + x*y", profile: smooth}, {region: right}])",
       "imaginary.initial_fields={E: [\"0\", \"0\", \"sin(2*y)\"]}"}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<std::string> set = cases[i];
    set.emplace_back(by_slices);
    set.emplace_back("checkpoint={steps: 1000}");
    set.emplace_back("outputs.energy={every: 1, balance: true}");
    const auto out = [&](int ranks) { return std::to_string(i) + "_" + std::to_string(ranks); };
    const Outcome alone = run(1, out(1), set);
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    const int ranks = i == 1 ? 2 : 3;
    const Outcome outcome = run(ranks, out(ranks), set);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find(whole_text), std::string::npos) << outcome.err;
    expect_same_tables(directory_ / out(ranks), directory_ / out(1), 1e-12);
    expect_same_checkpoint(directory_ / out(ranks), directory_ / out(1));
  }
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

/// A cube in air in a shell, which is a PML; or the half of it where x > 0. A film is on top of the cube.
dg::Mesh mesh_in_open_space(bool is_half) {
  dg::Mesh mesh = dg::make_box(
      {.min = {is_half ? 0.0 : -1.5, -1.5, -1.5}, .max = {1.5, 1.5, 1.5}, .cells = {is_half ? 3 : 6, 6, 6}});
  mesh.regions = {"core", "air", "shell"};
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const dg::Point x = dg::centroid(mesh, mesh.cells[k]);
    const double from_centre = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
    mesh.cell_region[k] = from_centre < 0.5 ? 0 : from_centre < 1 ? 1 : 2;
  }
  mesh.surfaces.emplace_back("film");
  const auto film = static_cast<std::int32_t>(mesh.surfaces.size() - 1);
  const auto is_on_film = [&](std::int32_t v) {
    const dg::Point& x = mesh.vertices[dg::index(v)];
    return std::abs(x[2] - 0.5) < 1e-9 && std::abs(x[0]) < 0.51 && std::abs(x[1]) < 0.51;
  };
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (const auto& [a, b, c] : dg::face_vertices) {
      std::array<std::int32_t, 3> face{mesh.cells[k].at(a), mesh.cells[k].at(b), mesh.cells[k].at(c)};
      std::ranges::sort(face);
      if (mesh.cell_region[k] == 0 && std::ranges::all_of(face, is_on_film)) mesh.surface_faces.push_back({face, film});
    }
  }
  return mesh;
}

/// The scattered field of a cube with losses.
const std::string open_space = R"yaml(
mesh: {file: open.h5, slices_above: 0}
units: normalized
solver: {order: 1, precision: double}
device: cpu
time: {end: 3}
materials: [{region: core, epsilon_r: 2, sigma: 0.1}, {region: "*", epsilon_r: 1}]
boundaries: [{region: [x_min, x_max, y_min, y_max, z_min, z_max], type: absorbing}]
pml: {region: shell, thickness: 0.5}
sources:
  - type: plane_wave
    direction: [0, 0, 1]
    polarization: [1, 0, 0]
    waveform: {type: ricker, frequency: 0.3, delay: 1.5}
    injection: {type: scattered_field}
outputs:
  energy: {every: 1, balance: true}
  probes: [{name: p, at: [0.31, 0.12, 0.13]}, {name: q, at: [0.23, 0.32, -0.71]}]
)yaml";

struct OpenSpace {
  std::string name;
  std::vector<std::string> set;
  bool is_half = false;
};

std::vector<OpenSpace> cases_of_open_space() {
  const std::string far_field =
      "outputs.far_field={enclosing: [core], frequencies: [0.3], theta: {from: 0, to: 180, step: 60}, phi: [0, 30]}";
  const std::string pulse = "waveform: {type: ricker, frequency: 0.3, delay: 1.5}";
  const std::string vacuum = R"(materials=[{region: "*", epsilon_r: 1}])";
  const auto dipole = [&](const std::string& at) {
    return "sources=[{type: dipole, kind: magnetic, at: " + at + ", moment: [0, 0, 1], " + pulse + "}]";
  };
  const std::string film =
      "boundaries=[{region: film, type: sheet, resistance: 0.5}, {region: [x_min, x_max, y_min, y_max, z_min, z_max], "
      "type: absorbing}]";
  return {
      {"scattered_field", {far_field}},
      {"total_field",
       {"sources=[{type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], " + pulse +
            ", injection: {type: total_field, regions: [core]}}]",
        vacuum}},
      {"dipole_in_an_element", {dipole("[0.21, 0.13, -0.32]"), vacuum, far_field}},
      {"dipole_at_a_vertex", {dipole("[0.5, 0.5, 0.5]"), vacuum}},
      {"poles",
       {"materials=[{region: core, epsilon_r: 2, dispersion: [{model: drude, plasma_frequency: 0.3, "
        "collision_frequency: 0.05}, {model: debye, delta_epsilon: 1, tau: 0.4}]}, {region: \"*\", epsilon_r: 1}]"}},
      {"sheet_and_its_fields",
       {film, "outputs.surface_fields={surfaces: [film], count: 2, quantities: [E]}",
        "outputs.frequency_fields={frequencies: [0.3], quantities: [E]}"}},
      {"symmetry_and_stretch",
       {"symmetry=[{plane: x, kind: electric}]", "pml.kappa=3", far_field,
        "boundaries=[{region: [x_max, y_min, y_max, z_min, z_max], type: absorbing}]"},
       true},
      {"layers_of_a_box",
       {"mesh={box: {min: [-1, -1, -1], max: [1, 1, 1], cells: [6, 5, 6]}, slices_above: 0}", "pml=null", vacuum,
        R"(boundaries=[{region: z_min, type: pec}, {region: "*", type: pml, thickness: 0.4}])",
        dipole("[0.1, 0.12, 0.13]"), "outputs.probes=[{name: p, at: [0.31, 0.12, 0.13]}]"}},
      {"reference_solution", {R"(reference_solution={E: ["sin(t)*x", "0", "y"]})"}}};
}

/// The mesh and the config in a directory of their own.
class OpenSpaceRuns {
 public:
  explicit OpenSpaceRuns(bool is_half = false) {
    dg::write_mesh(mesh_in_open_space(is_half), directory_ / "open.h5");
    write_file_atomically(directory_ / "config.yaml", open_space);
  }
  [[nodiscard]] Outcome run(int ranks, const std::string& out, const std::vector<std::string>& set,
                            const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{(directory_ / "config.yaml").string(), "--output", (directory_ / out).string()};
    for (const std::string& argument : with_set(set)) arguments.push_back(argument);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ranks == 1 ? run_program(arguments, directory_.path()) : run_on_ranks(ranks, arguments, directory_.path());
  }
  [[nodiscard]] std::filesystem::path in(const std::string& out) const { return directory_ / out; }

 private:
  TemporaryDirectory directory_;
};

class SlicesOfOpenSpace : public ::testing::TestWithParam<OpenSpace> {};

/// Terms that some ranks have no element of, sums and extents of the whole.
TEST_P(SlicesOfOpenSpace, have_the_results_of_the_whole_mesh) {
  const OpenSpaceRuns runs(GetParam().is_half);
  const auto run = [&](int ranks) { return runs.run(ranks, std::to_string(ranks), GetParam().set); };
  const Outcome alone = run(1);
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const auto summary = [&](int ranks) {
    return nlohmann::json::parse(content_of(runs.in(std::to_string(ranks)) / "summary.json"));
  };
  for (const int ranks : {2, 3}) {
    const Outcome outcome = run(ranks);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find(whole_text), std::string::npos) << outcome.err;
    expect_same_tables(runs.in(std::to_string(ranks)), runs.in("1"), 1e-12);
    EXPECT_EQ(summary(ranks)["pml"], summary(1)["pml"]);
    if (summary(1).contains("error")) {
      const double found = summary(ranks)["error"]["E"]["l2"], expected = summary(1)["error"]["E"]["l2"];
      EXPECT_NEAR(found, expected, 1e-12 * expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SlicesOfOpenSpace, ::testing::ValuesIn(cases_of_open_space()),
                         [](const auto& each) { return each.param.name; });

const std::vector<std::string> with_checkpoint{
    "checkpoint={steps: 1000}",
    R"(materials=[{region: core, epsilon_r: 2, dispersion: [{model: debye, delta_epsilon: 1, tau: 0.4}]}, )"
    R"({region: "*", epsilon_r: 1}])"};

/// All that it holds: the state, variables of the PML and of poles, sums on a surface and in the volume, energies.
TEST(SlicesOfCheckpoints, hold_what_those_of_the_whole_mesh_do) {
  const OpenSpaceRuns runs;
  std::vector<std::string> set = with_checkpoint;
  set.emplace_back(
      "outputs.far_field={enclosing: [core], frequencies: [0.3], theta: {from: 0, to: 90, step: 90}, phi: [0]}");
  set.emplace_back("outputs.frequency_fields={frequencies: [0.3], quantities: [E]}");
  ASSERT_EQ(runs.run(1, "1", set).exit_code, 0);
  const dg::Archive expected = checkpoint_in(runs.in("1"));
  for (const char* name : {"unknowns", "far_field.sums", "frequency_fields.sums", "put_in"}) {
    EXPECT_TRUE(expected.has(name)) << name;
  }
  for (const int ranks : {2, 3}) {
    const Outcome outcome = runs.run(ranks, std::to_string(ranks), set);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find(whole_text), std::string::npos) << outcome.err;
    expect_same_checkpoint(runs.in(std::to_string(ranks)), runs.in("1"));
  }
}

TEST(SlicesOfCheckpoints, go_from_one_number_of_ranks_to_another) {
  const OpenSpaceRuns runs;
  std::vector<std::string> half_of_it = with_checkpoint;
  half_of_it.emplace_back("time.end=1.5");
  const auto in_two_legs = [&](const std::string& out, int before, int after) {
    const Outcome first = runs.run(before, out, half_of_it);
    EXPECT_EQ(first.exit_code, 0) << first.err;
    const Outcome second = runs.run(after, out, with_checkpoint, {"--resume"});
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_NE(second.err.find("resumed from"), std::string::npos) << second.err;
    EXPECT_EQ((first.err + second.err).find(whole_text), std::string::npos) << first.err << second.err;
  };
  in_two_legs("1", 1, 1);
  in_two_legs("from_3_to_2", 3, 2);
  in_two_legs("from_1_to_2", 1, 2);
  in_two_legs("from_2_to_1", 2, 1);
  for (const char* out : {"from_3_to_2", "from_1_to_2", "from_2_to_1"}) {
    expect_same_tables(runs.in(out), runs.in("1"), 1e-12);
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
