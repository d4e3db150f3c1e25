#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include <nlohmann/json.hpp>

#include "apps/simulation/outputs/health.hpp"
#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/quality.hpp"
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
                                           std::tuple{guide.c_str(), "port_waves.csv", "s_parameters: "}}) {
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

TEST_F(SimulationTest, that_takes_the_mesh_of_another_does_not_read_it) {
  dg::write_mesh(box_around_near({0, 0, 0}), folder() / "cubes.h5");
  const config::Config config = load(dipole_in_cubes), turned = load(dipole_in_cubes, {"sources.0.moment=[0, 1, 0]"});
  Simulation first(config), alone(turned);
  std::filesystem::remove(folder() / "cubes.h5");
  EXPECT_THROW(Simulation{turned}, MeshError);
  Simulation second(turned, {.discretization = first.plan().discretization});
  alone.run();
  second.run();
  EXPECT_EQ(second.table("radiation").values(), alone.table("radiation").values());
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

/// A static field along z, a tenth of it in a PML. With alpha 0 it grows there without bounds, see docs/theory.md.
constexpr const char* static_in_pml = R"yaml(units: normalized
mesh: {file: column.h5}
solver: {order: 1, precision: double}
time: {end: 400}
materials: [{region: "*", epsilon_r: 1}]
boundaries:
  - {region: [z_min, z_max], type: pec}
  - {region: "*", type: pmc}
initial_fields: {E: ["0", "0", "1"]}
pml: {region: layer, thickness: 0.3, alpha: 0, reflection: 0.1}
outputs: {energy: {every: 20}}
)yaml";

TEST_F(SimulationTest, that_diverges_in_its_pml_says_so) {
  const dg::Box column{.min = {0, 0, 0}, .max = {0.3, 0.3, 3}, .cells = {1, 1, 10}};
  dg::write_mesh(box_of_regions(column, [](const dg::Point& x) { return x[2] > 2.7 ? "layer" : "inside"; }),
                 folder() / "column.h5");
  const auto error_of = [&](const std::vector<std::string>& changes) -> std::string {
    try {
      Simulation(load(static_in_pml, changes)).run();
      return "";
    } catch (const DivergenceError& error) {
      return error.what();
    }
  };
  const auto expect = [](const std::string& said, const std::string& part) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  const std::string said = error_of({});
  expect(said, " in region 'layer'");
  expect(said,
         "; likely causes, the first one first: the PML there (pml), in which static fields grow with alpha 0: "
         "leave pml.alpha out; too large a step: try a smaller solver.cfl (it is 1)");
  EXPECT_EQ(error_of({"pml.alpha=null"}), "");
}

TEST_F(SimulationTest, that_diverges_has_likely_causes_by_where_it_does) {
  // A column, and at one of its ends elements that are flat: the vertex there is all but on the opposite faces.
  dg::Mesh mesh = box_of_regions({.min = {0, 0, 0}, .max = {1, 1, 4}, .cells = {1, 1, 4}}, [](const dg::Point& x) {
    return x[2] > 3 ? "layer" : x[2] > 2 ? "varied" : "inside";
  });
  mesh.vertices[0] = {0.97, 0.97, 0.96};
  dg::write_mesh(mesh, folder() / "column.h5");
  const simulation::Plan plan =
      simulation::make_plan(load(static_in_pml, {"pml={region: layer, thickness: 1}",
                                                 "materials=[{region: varied, epsilon_r: 1 + z, profile: smooth}, "
                                                 "{region: '*', epsilon_r: 1}]"}));
  const dg::Mesh& prepared = plan.discretization->mesh;
  std::map<std::string, std::string> causes;
  for (std::size_t k = 0; k < prepared.cells.size(); ++k) {
    const bool is_flat = dg::quality(prepared, plan.discretization->geometry, k) < 0.1;
    causes[is_flat ? "flat" : prepared.regions.at(dg::index(prepared.cell_region[k]))] =
        simulation::likely_causes(plan, k);
  }
  const std::string step = "too large a step: try a smaller solver.cfl (it is 1)";
  const std::string first = "likely causes, the first one first: ";
  EXPECT_EQ(causes.at("inside"), first + step + "; material values or amplitudes that are far too large");
  EXPECT_EQ(causes.at("flat"), first + "this flat element: mesh better there; " + step);
  EXPECT_TRUE(
      causes.at("varied").starts_with(first + "this element, which is curved or has a medium that varies in it"))
      << causes.at("varied");
  EXPECT_TRUE(causes.at("layer").starts_with(
      first + "the PML there (pml), which may damp too much for its elements: take a larger pml.reflection (it is "))
      << causes.at("layer");
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
