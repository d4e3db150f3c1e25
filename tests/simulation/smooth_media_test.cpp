#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/simulation/fixture.hpp"

/// Runs in media that vary within elements.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

/// The standing wave of a cavity with epsilon_r = 1 / (1 + x)^2: E_z = cos(w t) (1 + x)^(1/2) sin(nu ln(1 + x)) with
/// nu = pi / ln 2, w^2 = nu^2 + 1/4, and dH_y/dt = dE_z/dx.
constexpr const char* graded_cavity = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 0.5, 0.5], cells: [2, 1, 1]}}
solver: {order: 3, precision: double}
time: {end: 2}
constants: {nu: 4.532360141827194, w: 4.559856187998019}
materials: [{region: "*", epsilon_r: "1/(1+x)^2", profile: smooth}]
boundaries:
  - {region: [y_min, y_max], type: pmc}
  - {region: "*", type: pec}
initial_fields: {E: ["0", "0", "sqrt(1+x)*sin(nu*log(1+x))"]}
reference_solution:
  E: ["0", "0", "cos(w*t)*sqrt(1+x)*sin(nu*log(1+x))"]
  H: ["0", "sin(w*t)/w/sqrt(1+x)*(0.5*sin(nu*log(1+x)) + nu*cos(nu*log(1+x)))", "0"]
outputs: {energy: {every: 5}}
)yaml";

class SmoothMedia : public SimulationTest {
 protected:
  [[nodiscard]] double error_of(const std::vector<std::string>& changes) const {
    Simulation simulation(load(graded_cavity, changes));
    simulation.run();
    const dg::ErrorNorm& error = simulation.summary().errors.at(0);
    EXPECT_EQ(error.name, "E");
    return error.l2;
  }
};

TEST_F(SmoothMedia, are_solved_to_the_order_of_the_fields_and_means_to_the_second) {
  const double smooth = error_of({}), of_means = error_of({"materials.0.profile=constant"});
  const double finer = error_of({"mesh.box.cells=[4, 2, 2]"});
  EXPECT_LT(smooth, 0.05 * of_means);
  EXPECT_GT(smooth / finer, 12) << smooth << ", " << finer << ": order 4 halves it four times";
}

TEST_F(SmoothMedia, are_counted_by_check_and_not_called_curved) {
  const Outcome outcome = run_program_on(graded_cavity, "out", {"--check"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("# elements: 12, in 12 of them media vary, and none is curved\n"), std::string::npos)
      << outcome.out;
}

TEST_F(SmoothMedia, conserve_energy_with_the_central_flux_and_with_losses_balance_it) {
  const std::vector<std::string> changes{"solver.flux=central", "materials.0.sigma=max(0, 4*(x-0.3))",
                                         "outputs.energy.balance=true", "time.end=4"};
  Simulation simulation(load(graded_cavity, changes));
  simulation.run();
  EXPECT_LT(simulation.energy().value(), 0.5 * simulation.summary().initial_energy);
}

TEST_F(SmoothMedia, by_values_at_vertices_are_linear_between_them) {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {2, 2, 2}});
  for (const dg::Point& x : mesh.vertices) mesh.vertex_values["epsilon"].push_back(1 + x[0] + 0.5 * x[2]);
  write_mesh(mesh, folder() / "box.h5");
  const auto probe = [&](const std::string& epsilon, const std::string& profile) {
    Simulation simulation(load(R"yaml(units: normalized
mesh: {file: box.h5}
solver: {order: 2, precision: double}
time: {end: 1}
materials: [{region: "*", profile: )yaml" +
                               profile + ", epsilon_r: " + epsilon + R"yaml(}]
boundaries: [{region: "*", type: pec}]
initial_fields: {E: ["0", "0", "sin(pi*x)*sin(pi*y)"]}
outputs: {probes: [{name: p, at: [0.3, 0.4, 0.6]}]}
)yaml"));
    simulation.run();
    return simulation.probes().column("p.Ez");
  };
  const std::vector<double> by_vertices = probe("{from_mesh: epsilon}", "smooth"),
                            by_expression = probe("\"1 + x + z/2\"", "smooth"),
                            by_means = probe("{from_mesh: epsilon}", "constant");
  ASSERT_EQ(by_vertices.size(), by_expression.size());
  for (std::size_t i = 0; i < by_vertices.size(); ++i) EXPECT_NEAR(by_vertices[i], by_expression[i], 1e-12);
  EXPECT_GT(std::abs(by_vertices.back() - by_means.back()), 1e-5);
}

TEST_F(SmoothMedia, that_cannot_be_are_refused) {
  const auto with = [](const std::string& material) {
    return "units: normalized\nmesh: {box: {cells: [1, 1, 1]}}\ntime: {end: 1}\nmaterials: [{region: \"*\", "
           "profile: smooth, " +
           material + "}]\nboundaries: [{region: \"*\", type: pec}]\n";
  };
  expect_refused(with("epsilon_r: 2"), "materials.0.profile: nothing of this medium varies within an element");
  expect_refused(with("epsilon_r: \"x + 0.9\""), "materials.0.epsilon_r: must be above 0, and is -0.0");
  expect_refused(with("epsilon_r: \"1/x\""), "materials.0.epsilon_r: is not a finite number at (0, ");
  expect_refused(with("epsilon_r: {from_mesh: e}"), "one number a cell, or /vertex_values/NAME, one a vertex");
}

}  // namespace
}  // namespace maxwell_dg::testing
