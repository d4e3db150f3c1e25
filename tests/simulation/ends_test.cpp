#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/simulation/boxes.hpp"
#include "tests/simulation/fixture.hpp"

namespace maxwell_dg::testing {
namespace {

using simulation::OutputDirectory;
using simulation::Simulation;

nlohmann::json summary_in(const std::filesystem::path& directory) {
  return nlohmann::json::parse(content_of(directory / "summary.json"));
}

TEST_F(SimulationTest, the_predicate_is_asked_before_each_step_and_ends_it) {
  int asked = 0;
  Simulation simulation(load(guide), {.stop = [&] { return ++asked > 5; }});
  EXPECT_EQ(simulation.step(3), 3);
  EXPECT_EQ(simulation.step(3), 2);
  EXPECT_FALSE(simulation.has_ended());
  EXPECT_EQ(simulation.run().outcome, "interrupted");
  EXPECT_EQ(simulation.summary().steps, 5);
  EXPECT_EQ(simulation.probes().rows(), 6U);
  EXPECT_FALSE(simulation.s_parameters());
  EXPECT_EQ(simulation.step(), 0);
}

TEST_F(SimulationTest, that_was_stopped_goes_on_from_its_checkpoint_to_the_same_results) {
  const std::vector<std::string> saved{"checkpoint={steps: 100000}"};
  {
    const OutputDirectory directory(folder() / "whole");
    Simulation(load(guide, saved), {.directory = &directory}).run();
  }
  const OutputDirectory directory(folder() / "out");
  {
    Simulation first(load(guide, saved), {.directory = &directory});
    first.step(40);
    EXPECT_EQ(first.finish().outcome, "interrupted");
    EXPECT_NE(first.report().find("goes on from"), std::string::npos) << first.report();
  }
  {
    Simulation second(load(guide, saved), {.directory = &directory, .resume = true});
    EXPECT_EQ(second.steps(), 40);
    EXPECT_EQ(second.run().outcome, "done");
  }
  for (const char* file : {"probes.csv", "energy.csv", "balance.csv", "port_waves.csv", "s_parameters.s2p",
                           "surface_fields_000002.vtu", "surface_fields.pvd"}) {
    EXPECT_TRUE(content_of(folder() / "out" / file) == content_of(folder() / "whole" / file)) << file;
  }
  Simulation third(load(guide, saved), {.directory = &directory, .resume = true});
  EXPECT_TRUE(third.has_ended());
  EXPECT_EQ(third.step(), 0);
  EXPECT_THROW(third.run(), std::logic_error);
  EXPECT_THROW((void)third.fields({"Ex"}), std::logic_error);
}

/// Cubes around a dipole, and its far field.
constexpr const char* dipole_in_cubes = R"yaml(units: normalized
mesh: {file: cubes.h5}
solver: {order: 1}
time: {end: 8}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: absorbing}]
sources: [{type: dipole, at: [0.1, 0, 0], moment: [0, 0, 1], waveform: {type: ricker, frequency: 0.3}}]
outputs: {far_field: {enclosing: [body, near], frequencies: [0.3]}}
)yaml";

TEST_F(SimulationTest, that_ends_early_has_no_file_of_what_needs_its_end) {
  dg::write_mesh(box_around_near({0, 0, 0}), folder() / "cubes.h5");
  for (const auto& [text, file, output] : {std::tuple{dipole_in_cubes, "radiation.csv", "far_field: "},
                                           std::tuple{guide, "port_waves.csv", "s_parameters: "}}) {
    const OutputDirectory directory(folder() / std::filesystem::path(file).stem());
    Simulation simulation(load(text), {.directory = &directory});
    simulation.step(4);
    EXPECT_EQ(simulation.finish().outcome, "interrupted");
    EXPECT_FALSE(std::filesystem::exists(directory.path() / file));
    EXPECT_EQ(simulation.report().find(file), std::string::npos) << simulation.report();
    const std::string said = std::string(output) + file + " is not written, because the run ended early";
    EXPECT_EQ(std::ranges::count(simulation.summary().warnings, said), 1) << said;
  }
}

TEST_F(SimulationTest, that_is_dropped_closes_its_files) {
  const OutputDirectory directory(folder() / "out");
  {
    Simulation simulation(load(guide), {.directory = &directory});
    simulation.step(4);
  }
  EXPECT_EQ(summary_in(folder() / "out")["outcome"], "interrupted");
  EXPECT_EQ(summary_in(folder() / "out")["steps"], 4);
  EXPECT_TRUE(content_of(folder() / "out/probes.csv").ends_with("\n"));
}

TEST_F(SimulationTest, that_diverges_throws_it_and_can_still_be_read) {
  Simulation simulation(load(box, {"solver.cfl=10", "time.end=4000", "outputs.resonances=null"}));
  EXPECT_THROW(simulation.run(), DivergenceError);
  EXPECT_TRUE(simulation.has_ended());
  EXPECT_EQ(simulation.summary().outcome, "diverged");
  EXPECT_GT(simulation.probes().rows(), 10U);
  EXPECT_EQ(simulation.step(), 0);
  EXPECT_TRUE(nothing_was_written());
}

TEST_F(SimulationTest, errors_have_their_types) {
  EXPECT_THROW((void)load("units: normalised\n"), ConfigError);
  EXPECT_THROW(Simulation(load(guide, {"solver.integrator=nobody"})), ConfigError);
  EXPECT_THROW(Simulation(load(box, {"mesh={file: /missing.h5}"})), MeshError);
  EXPECT_THROW(Simulation(load(guide, {"device=cuda:99"})), DeviceError);
  write_file_atomically(folder() / "file", "");
  EXPECT_THROW(OutputDirectory(folder() / "file"), OutputError);
  Simulation simulation(load(guide));
  EXPECT_THROW((void)simulation.table("rcs"), ConfigError);
  EXPECT_THROW((void)simulation.summary(), std::logic_error);
  EXPECT_TRUE(nothing_was_written());
}

TEST_F(SimulationTest, options_that_contradict_each_other_are_refused) {
  EXPECT_THROW(Simulation(load(guide), {.resume = true}), std::invalid_argument);
  const OutputDirectory directory(folder() / "out");
  const auto ignore = [](const dg::Snapshot&) {};
  EXPECT_THROW(Simulation(load(guide), {.directory = &directory, .on_snapshot = ignore}), std::invalid_argument);
}

TEST_F(SimulationTest, what_a_callback_throws_passes_and_ends_the_run) {
  const OutputDirectory directory(folder() / "out");
  Simulation simulation(load(guide), {.directory = &directory});
  const auto after_step = [&] {
    if (simulation.steps() == 3) throw std::runtime_error("enough");
  };
  EXPECT_THROW(simulation.run(after_step), std::runtime_error);
  EXPECT_TRUE(simulation.has_ended());
  EXPECT_EQ(simulation.probes().rows(), 4U);
}

TEST_F(SimulationTest, whose_files_cannot_be_written_throws_and_ends) {
  const OutputDirectory directory(folder() / "out");
  std::filesystem::create_directory(folder() / "out/port_waves.csv");
  Simulation simulation(load(guide), {.directory = &directory});
  EXPECT_THROW(simulation.run(), OutputError);
  EXPECT_TRUE(simulation.has_ended());
  EXPECT_THROW((void)simulation.summary(), std::logic_error);
  EXPECT_EQ(simulation.probes().rows(), static_cast<std::size_t>(simulation.plan().steps) + 1);
}

}  // namespace
}  // namespace maxwell_dg::testing
