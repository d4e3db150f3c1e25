#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/support/round_guide.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Ports and lumped elements of a mesh that ranks read by slices: each has a part of the faces, or none, and all have
/// the mode.
namespace maxwell_dg::testing {
namespace {

/// Along z, with a film across its middle and metal in half of another cross section. Ranks cut it along z, the film
/// among others, and at last across the ports. So many cells along y.
dg::Mesh line_of(int cells) {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, -1}, .max = {0.3, 0.6, 1}, .cells = {2, cells, 6}});
  name_faces(mesh, "gap", [](const dg::Point& x) { return std::abs(x[2]) < 1e-9; });
  name_faces(mesh, "wall", [](const dg::Point& x) { return std::abs(x[2] - 1.0 / 3) < 1e-9 && x[1] < 0.301; });
  dg::prepare(mesh, "line", dg::Orientation::any);
  return mesh;
}

dg::Mesh mesh_of_line() {
  return line_of(2);
}

const char* const line = R"yaml(
mesh: {file: mesh.h5, slices_above: 0}
units: normalized
solver: {order: 2, precision: double}
device: cpu
time: {until: {decay: "-20 dB"}, at_most: 60}
materials: [{region: "*", epsilon_r: 2}]
boundaries:
  - {region: [x_min, x_max, wall], type: pec}
  - {region: [y_min, y_max], type: pmc}
  - {region: z_max, type: absorbing}
ports:
  - {name: end, type: lumped, boundary: z_min, impedance: 0.5, from: x_max, to: x_min}
  - {name: middle, type: lumped, boundary: gap, impedance: 2, from: x_max, to: x_min}
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.4, bandwidth: 0.4}}]
outputs:
  energy: {every: 1, balance: true}
  s_parameters: {from: 0.3, to: 0.5, count: 2}
)yaml";

const std::vector<std::string> guide{
    R"(boundaries=[{region: "*", type: pec}])",
    R"(ports=[{name: a, boundary: z_min, mode: te10}, {name: b, boundary: z_max, mode: te10}])",
    "sources.0={type: port, ports: [a], waveform: {type: gaussian_pulse, frequency: 1, bandwidth: 1.5}}",
    "outputs.s_parameters={from: 0.8, to: 0.9, count: 2}", "time={end: 5}"};

struct PortCase {
  std::string name;
  dg::Mesh (*mesh)();
  std::vector<std::string> set;
  std::string table = "port_waves.csv";  ///< that is written
};

void PrintTo(const PortCase& of, std::ostream* out) {
  *out << of.name;
}

std::vector<std::string> also(std::vector<std::string> set, const std::vector<std::string>& more) {
  set.insert(set.end(), more.begin(), more.end());
  return set;
}

/// A film between elements and one on the outside, with as many states and with fewer.
const PortCase loaded{
    "elements",
    mesh_of_line,
    {"ports=[{name: end, type: lumped, boundary: z_min, impedance: 0.5, from: x_max, to: x_min}]",
     "boundaries=[{region: [x_min, x_max, wall], type: pec}, {region: [y_min, y_max], type: pmc}]",
     "elements=[{name: middle, type: rlc, boundary: gap, resistance: 2, inductance: 0.3, topology: series, from: "
     "x_max, "
     "to: x_min}, {name: far, type: rlc, boundary: z_max, resistance: 1, inductance: 0.2, capacitance: 0.4, "
     "topology: parallel, from: x_max, to: x_min}]",
     "outputs.elements={every: 1}"},
    "elements.csv"};

const PortCase complex_fields{
    "where_fields_are_complex",
    [] { return line_of(3); },
    {"boundaries=[{region: [x_min, x_max, wall], type: pec}, {region: y_min, type: periodic, with: y_max, phase: 70}, "
     "{region: z_max, type: absorbing}]",
     "sources=[{type: current, region: '*', density: ['sin(3*t)*exp(-20*z^2)', '0', '0']}]",
     "outputs={energy: {every: 1}, probes: [{name: p, at: [0.11, 0.12, 0.53]}]}", "time={end: 3}"},
    "probes.csv"};

std::vector<PortCase> port_cases() {
  const auto round = [] { return make_round_guide({.length = 1, .order = 2}); };
  const auto coaxial = [] {
    return make_round_guide({.inner = 0.5, .length = 1, .order = 2, .whole = {false, false}});
  };
  return {{"lumped", mesh_of_line, {}},
          {"lumped_across_a_magnetic_plane",
           mesh_of_line,
           {"symmetry=[{plane: y, kind: magnetic}]", "boundaries.1.region=y_max", "sources.0.waveform.bandwidth=1",
            "time={end: 12}"}},
          loaded,
          complex_fields,
          {"rectangular", mesh_of_line, guide},
          {"round", round,
           also(guide, {R"(ports=[{name: a, boundary: z_min, mode: te11}, )"
                        R"({name: b, boundary: z_min, mode: te11, polarization: [0, 1, 0]}, )"
                        R"({name: c, boundary: z_max, mode: te11}])",
                        "time={end: 5}"})},
          {"coaxial", coaxial,
           also(guide, {"symmetry=[{plane: x, kind: magnetic}, {plane: y, kind: magnetic}]",
                        R"(ports=[{name: a, boundary: z_min, mode: tem}, {name: b, boundary: z_max, mode: tem}])",
                        "time={end: 5}"})}};
}

class PortRuns {
 public:
  explicit PortRuns(const PortCase& of) : set_(of.set) {
    dg::write_mesh(of.mesh(), directory_ / "mesh.h5");
    write_file_atomically(directory_ / "config.yaml", std::string_view(line));
  }
  [[nodiscard]] Outcome start(int ranks, const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{(directory_ / "config.yaml").string(), "--output", (directory_ / out).string()};
    for (const std::string& argument : with_set(set_)) arguments.push_back(argument);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ranks == 1 ? run_program(arguments, directory_.path()) : run_on_ranks(ranks, arguments, directory_.path());
  }
  /// No rank reads the whole mesh.
  [[nodiscard]] Outcome run(int ranks, const std::string& out, const std::vector<std::string>& more = {}) const {
    Outcome outcome = start(ranks, out, more);
    EXPECT_EQ(outcome.err.find("each rank reads the whole mesh"), std::string::npos) << outcome.err;
    return outcome;
  }
  void expect_same(const std::string& found, const std::string& expected) const {
    expect_same_tables(directory_ / found, directory_ / expected, 1e-12);
  }
  void expect_same_checkpoint_in(const std::string& found, const std::string& expected) const {
    expect_same_checkpoint(directory_ / found, directory_ / expected);
  }
  [[nodiscard]] std::string text_of(const std::string& file) const { return content_of(directory_ / file); }

 private:
  TemporaryDirectory directory_;
  std::vector<std::string> set_;
};

class SlicesOfPorts : public ::testing::TestWithParam<PortCase> {};

TEST_P(SlicesOfPorts, have_the_results_of_the_whole_mesh) {
  const PortRuns runs(GetParam());
  const Outcome alone = runs.run(1, "1");
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_NE(runs.text_of("1/" + GetParam().table), "");
  const Outcome outcome = runs.run(3, "3");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  runs.expect_same("3", "1");
}

INSTANTIATE_TEST_SUITE_P(All, SlicesOfPorts, ::testing::ValuesIn(port_cases()),
                         [](const auto& each) { return each.param.name; });

/// Walls and films at cuts count once.
TEST(ChecksOfPorts, say_of_slices_what_they_say_of_the_whole_mesh) {
  for (const PortCase& of : {port_cases().front(), loaded, complex_fields}) {
    const PortRuns runs(of);
    const Outcome alone = runs.run(1, "out", {"--check"}), slices = runs.run(3, "out", {"--check"});
    ASSERT_EQ(slices.exit_code, 0) << slices.err;
    expect_same_forecast(slices.out, alone.out);
    EXPECT_NE(slices.out.find("divided by curve"), std::string::npos) << slices.out;
  }
}

/// A piece of a part, as if no other rank were beside it.
TEST(TuningOfPorts, is_on_the_part_of_a_rank) {
  const PortRuns runs(port_cases().front());
  std::vector<std::string> tune = with_set({"solver.tuning_seconds=1"});
  tune.emplace_back("--tune");  // which mpirun would take for an option of its own, were something behind it
  const Outcome outcome = runs.run(2, "out", tune);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("elements of one of 2 ranks"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("variants tried"), outcome.out.rfind("variants tried")) << "said by more than one rank";
}

/// Sums of the waves in the order of ports and their faces, states of circuits in that of faces.
TEST(CheckpointsOfPorts, are_those_of_the_whole_mesh) {
  const std::vector<std::string> pulse{"checkpoint={steps: 1000}", "time={end: 12}", "sources.0.waveform.bandwidth=1"};
  const std::vector<std::string> current{"checkpoint={steps: 1000}"};
  for (const auto& [of, set] :
       {std::pair(port_cases().front(), pulse), std::pair(loaded, pulse), std::pair(complex_fields, current)}) {
    const PortRuns runs(of);
    ASSERT_EQ(runs.run(1, "1", with_set(set)).exit_code, 0);
    ASSERT_EQ(runs.run(3, "3", with_set(set)).exit_code, 0);
    runs.expect_same_checkpoint_in("3", "1");
  }
}

/// Faces that have a term already, on a rank that has them: only the whole mesh tells how the config is wrong.
TEST(SlicesOfElements, refuse_what_the_whole_mesh_refuses) {
  const PortRuns runs(loaded);
  const Outcome outcome = runs.start(
      3, "3",
      with_set({"boundaries=[{region: [x_min, x_max, wall], type: pec}, {region: [y_min, y_max], type: pmc}, "
                "{region: gap, type: sheet, resistance: 1}]"}));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("elements.0.boundary: 'gap' has faces that a sheet covers already"), std::string::npos)
      << outcome.err;
}

/// A film ends at a periodic surface, and metal begins at its partner, in cells that have no vertex on the film.
TEST(ChecksOfPorts, know_the_metal_behind_a_periodic_surface) {
  const PortCase of{"periodic",
                    [] {
                      dg::Mesh mesh = dg::make_box({.min = {0, 0, -1}, .max = {0.3, 0.6, 1}, .cells = {2, 4, 6}});
                      name_faces(mesh, "gap", [](const dg::Point& x) { return std::abs(x[2]) < 1e-9 && x[1] < 0.151; });
                      name_faces(mesh, "wall",
                                 [](const dg::Point& x) { return std::abs(x[2]) < 1e-9 && x[1] > 0.449; });
                      dg::prepare(mesh, "line", dg::Orientation::any);
                      return mesh;
                    },
                    {"boundaries=[{region: [x_min, x_max], type: pec}, {region: y_min, type: periodic, with: y_max}, "
                     "{region: z_max, type: absorbing}, {region: wall, type: pec}]",
                     "sources.0.ports=end", "time={end: 3}", "outputs.s_parameters=null"}};
  const PortRuns runs(of);
  for (const int ranks : {1, 3}) {
    const Outcome refused = runs.start(ranks, "refused");
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_NE(refused.err.find("ports.1.boundary: 'gap' has an edge near ("), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find(") on 'wall', metal that is neither"), std::string::npos) << refused.err;
    const Outcome accepted = runs.run(ranks, "accepted", with_set({"boundaries.3.type=pmc"}));
    EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
