#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "tests/simulation/fixture.hpp"

/// Runs on meshes with curved elements.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

constexpr const char* ball = R"geo(SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 1};
Physical Volume("inside") = {1};
Physical Surface("wall") = {1};
Mesh.MeshSizeMin = 0.7;
Mesh.MeshSizeMax = 0.7;
)geo";

constexpr const char* ringing_ball = R"yaml(units: normalized
mesh: {file: ball.geo}
materials: [{region: inside}]
boundaries: [{region: wall, type: pec}]
solver: {order: 4}
initial_fields: {E: ["0", "0", "exp(-4*(x^2+y^2+z^2))"]}
time: {end: 24}
outputs:
  probes: [{name: centre, at: [0.05, 0.02, 0.1]}]
  resonances: {from: 0.3, to: 0.6}
)yaml";

constexpr const char* dipole = R"yaml(sources:
  - {type: dipole, at: [0.9, 0.4, 0.3], moment: [0, 0, 0.001],
     waveform: {type: gaussian_pulse, frequency: 1, bandwidth: 1}}
)yaml";

class Curved : public SimulationTest {
 protected:
  /// Half of a box is curved.
  void write_half_curved_box() const {
    dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {2, 2, 2}});
    dg::curve(mesh, 3, [](const dg::Point& x) {
      const double beyond = std::max(0.0, x[0] - 0.5);
      return dg::Point{x[0], x[1] + 0.3 * beyond * beyond * (1 - x[1]), x[2] + 0.2 * beyond * x[1] * x[2]};
    });
    dg::prepare(mesh, "half curved", dg::Orientation::any);
    ASSERT_EQ(mesh.curved.count(), mesh.cells.size() / 2);
    write_mesh(mesh, folder() / "box.h5");
  }
  static std::string ringing_box(const std::string& more) {
    return R"yaml(units: normalized
mesh: {file: box.h5}
materials:
  - {region: interior, sigma: 0.02, dispersion: [{model: debye, delta_epsilon: 0.3, tau: 0.4}]}
boundaries: [{region: "*", type: pec}]
solver: {order: 3}
time: {end: 3}
initial_fields: {E: ["sin(pi*y)*sin(pi*z)", "0", "0"]}
)yaml" + more;
  }
  /// Relative deviation of the strongest resonance from the lowest of a ball, TM_11: k = 2.743707.
  [[nodiscard]] double error_of_ball(int order_of_geometry) const {
    write_file_atomically(folder() / "ball.geo",
                          ball + ("Mesh.ElementOrder = " + std::to_string(order_of_geometry) + ";\n"));
    Simulation run(load(ringing_ball));
    EXPECT_EQ(run.plan().discretization->curved.has_value(), order_of_geometry > 1);
    (void)run.run();
    const auto found = run.resonances();
    EXPECT_FALSE(found.empty());
    if (found.empty()) return 1;
    const auto strongest =
        std::ranges::max_element(found, {}, [](const simulation::ProbeResonance& r) { return std::abs(r.amplitude); });
    return std::abs(strongest->frequency * 2 * std::numbers::pi / 2.7437072699 - 1);
  }
};

TEST_F(Curved, a_metal_ball_of_gmsh_rings_at_its_frequency_where_the_straight_one_is_percents_off) {
  if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  const double straight = error_of_ball(1), curved = error_of_ball(4);
  RecordProperty("straight", std::to_string(straight));
  RecordProperty("curved", std::to_string(curved));
  EXPECT_GT(straight, 0.02);
  EXPECT_LT(curved, 1e-4);
}

TEST_F(Curved, a_run_is_resumed_to_the_bit_and_with_another_order) {
  namespace fs = std::filesystem;
  write_half_curved_box();
  const std::string text =
      ringing_box("checkpoint: {steps: 5, keep: 100}\noutputs: {energy: {every: 1, balance: true}}\n") + dipole;
  const Outcome whole = run_program_on(text, "whole");
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::vector<dg::CheckpointName> all = dg::checkpoints_in(folder() / "whole");
  ASSERT_GT(all.size(), 3U);
  for (const std::string name : {"same", "other"}) {
    fs::copy(folder() / "whole", folder() / name, fs::copy_options::recursive);
    for (const dg::CheckpointName& later : dg::checkpoints_in(folder() / name)) {
      if (later.step > all[1].step) fs::remove(later.path);
    }
  }
  const Outcome same = run_program_on(text, "same", {"--resume"});
  ASSERT_EQ(same.exit_code, 0) << same.err;
  const auto state = [&](const std::string& directory) {
    return dg::read_checkpoint(dg::checkpoints_in(folder() / directory).back().path).reals("q");
  };
  EXPECT_EQ(state("same"), state("whole"));
  EXPECT_EQ(content_of(folder() / "same" / "energy.csv"), content_of(folder() / "whole" / "energy.csv"));

  const Outcome other = run_program_on(text, "other", {"--resume", "--set", "solver.order=4"});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  const auto last_energy = [&](const std::string& directory) {
    const std::string table = content_of(folder() / directory / "energy.csv");
    return std::stod(table.substr(table.find_last_of(',') + 1));
  };
  EXPECT_NEAR(last_energy("other") / last_energy("whole"), 1, 0.02);
}

TEST_F(Curved, the_energy_of_a_lossy_box_falls) {
  write_half_curved_box();
  Simulation run(load(ringing_box("outputs: {energy: {every: 10}, probes: [{name: a, at: [0.9, 0.4, 0.3]}]}\n")));
  (void)run.run();
  const dg::Table energies = run.energies();
  ASSERT_GT(energies.rows(), 2U);
  const double first = energies.column("total").front(), last = energies.column("total").back();
  EXPECT_LT(last, first);
}

TEST_F(Curved, media_may_be_tensors_with_losses_and_poles) {
  write_half_curved_box();
  const auto last_energy = [&](const std::string& epsilon) {
    const std::string text = ringing_box("outputs: {energy: {every: 10, balance: true}}\n") + dipole;
    Simulation run(load(text, {"materials.0.epsilon_r=" + epsilon}));
    (void)run.run();
    EXPECT_LT(run.table("balance").column("losses.energy").back(), 0) << epsilon;
    return run.energies().column("total").back();
  };
  const double scalar = last_energy("2"), tensor = last_energy("[2, 2, 2]"), crystal = last_energy("[3, 2, 2]");
  EXPECT_NEAR(tensor / scalar, 1, 1e-3) << "losses act at nodes there, and at points here";
  EXPECT_GT(std::abs(crystal / scalar - 1), 0.02);
  const Outcome outcome =
      run_program_on(ringing_box(""), "out", {"--set", "materials.0.epsilon_r=[2, 2, 3]", "--check"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(Curved, elements_are_counted_by_check) {
  write_half_curved_box();
  const Outcome outcome = run_program_on(ringing_box(""), "out", {"--check"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("# elements: 48, 24 of them curved, by maps of order 3"), std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace maxwell_dg::testing
