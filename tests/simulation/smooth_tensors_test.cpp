#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/simulation/fixture.hpp"

/// Runs in media with tensors that vary within elements.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

/// The empty unit cube, whose coordinates are u = x, v = y + g(x, y, z), w = z, in the coordinates x, y, z. With
/// B = d(u, v, w)/d(x, y, z), Maxwell's equations of E = B^T E_0, H = B^T H_0 are those of a medium with
/// epsilon = mu = det(B) B^-1 B^-T. E_0 is the sum of two modes of frequency w = sqrt(2) pi: along z, of u and v, and
/// along v, of u and z. D = 1 + dg/dy.
constexpr const char* stretched_cube = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [2, 2, 2]}}
solver: {order: 2, precision: double}
time: {end: 0.8}
constants: {w: 4.442882938158366, a: 0.1}
materials:
  - {region: "*", profile: smooth, epsilon_r: &medium [[D, -G_x, 0], [-G_x, (1 + G_x^2 + G_z^2)/D, -G_z], [0, -G_z, D]],
     mu_r: *medium}
boundaries: [{region: "*", type: pec}]
initial_fields: {E: [G_x*sin(pi*x)*sin(pi*z), D*sin(pi*x)*sin(pi*z), G_z*sin(pi*x)*sin(pi*z) + sin(pi*x)*sin(pi*V)]}
reference_solution:
  E: [cos(w*t)*G_x*sin(pi*x)*sin(pi*z), cos(w*t)*D*sin(pi*x)*sin(pi*z),
      cos(w*t)*(G_z*sin(pi*x)*sin(pi*z) + sin(pi*x)*sin(pi*V))]
  H: [sin(w*t)*pi/w*(sin(pi*x)*(cos(pi*z) - cos(pi*V)) + G_x*cos(pi*x)*sin(pi*V)),
      sin(w*t)*pi/w*D*cos(pi*x)*sin(pi*V), sin(w*t)*pi/w*(G_z*cos(pi*x)*sin(pi*V) - cos(pi*x)*sin(pi*z))]
)yaml";

/// The same with g = a sin(pi y) cos(2 x + z).
std::string stretched() {
  std::string text = stretched_cube;
  for (const auto& [name, formula] : {std::pair<std::string, std::string>{"G_x", "(-2*a*sin(pi*y)*sin(2*x + z))"},
                                      {"G_z", "(-a*sin(pi*y)*sin(2*x + z))"},
                                      {"D", "(1 + a*pi*cos(pi*y)*cos(2*x + z))"},
                                      {"V", "(y + a*sin(pi*y)*cos(2*x + z))"}}) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += formula.size()) {
      text.replace(at, name.size(), formula);
    }
  }
  return text;
}

class SmoothTensors : public SimulationTest {
 protected:
  /// Of E and H.
  [[nodiscard]] double error_of(int order, int cells, std::vector<std::string> changes = {}) const {
    const std::string n = std::to_string(cells);
    changes.push_back("solver.order=" + std::to_string(order));
    if (std::ranges::none_of(changes, [](const std::string& c) { return c.starts_with("mesh="); })) {
      changes.push_back("mesh.box.cells=[" + n + ", " + n + ", " + n + "]");
    }
    Simulation simulation(load(stretched(), changes));
    simulation.run();
    return std::hypot(simulation.summary().errors.at(0).l2, simulation.summary().errors.at(1).l2);
  }
  /// The unit cube with curved cells and a straight surface.
  [[nodiscard]] double error_in_curved(int order, int cells) const {
    dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
    dg::curve(mesh, order + 1, [](const dg::Point& x) {
      const auto wave = [&](std::size_t axis) { return std::sin(std::numbers::pi * x.at(axis)); };
      const double bump = 0.05 * wave(0) * wave(1) * wave(2);
      return dg::Point{x[0] + bump, x[1] - 0.7 * bump, x[2] + 0.4 * bump};
    });
    dg::prepare(mesh, "curved", dg::Orientation::any);
    write_mesh(mesh, folder() / "curved.h5");
    return error_of(order, cells, {"mesh={file: curved.h5}"});
  }
};

TEST_F(SmoothTensors, have_the_order_of_the_fields_in_straight_and_in_curved_elements) {
  for (const int order : {1, 2, 3}) {
    const int cells = order == 1 ? 4 : 2;
    const double coarse = error_of(order, cells), fine = error_of(order, 2 * cells);
    EXPECT_GT(std::log2(coarse / fine), order + 0.6) << "order " << order << ": errors " << coarse << ", " << fine;
    const double bent = error_in_curved(order, cells), finer = error_in_curved(order, 2 * cells);
    EXPECT_GT(std::log2(bent / finer), order + 0.6) << "curved, order " << order << ": " << bent << ", " << finer;
    const auto note = [&](const char* what, double first, double second) {
      RecordProperty(what + std::to_string(order), core::brief(first) + ", " + core::brief(second));
    };
    note("straight_N", coarse, fine);
    note("curved_N", bent, finer);
    if (order < 3) continue;
    const double of_means = error_of(order, 2 * cells, {"materials.0.profile=constant"});
    EXPECT_GT(of_means, 20 * fine) << "of means over elements";
    note("means_N", of_means, of_means);
  }
}

constexpr const char* lossy_box = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [2, 2, 2]}}
solver: {order: 2, precision: double}
time: {end: 3}
materials: [{region: "*", profile: smooth, epsilon_r: "2 + x*y", mu_r: "1 + z/2", sigma: x,
  dispersion: [{model: debye, delta_epsilon: 0.7, tau: 0.5}]}]
boundaries: [{region: "*", type: absorbing}, {region: [x_min, y_max], type: pec}]
initial_fields: {E: ["0", "0", "sin(pi*x)*sin(pi*y)"]}
outputs: {energy: {every: 1, balance: true}, probes: [{name: p, at: [0.3, 0.4, 0.6]}]}
)yaml";

TEST_F(SmoothTensors, that_are_multiples_of_one_are_scalars_also_with_losses_and_poles) {
  const auto energies_of = [&](const std::vector<std::string>& changes) {
    Simulation simulation(load(lossy_box, changes));
    simulation.run();
    std::vector<double> energies = simulation.energies().column("total");
    const std::vector<double> losses = simulation.table("balance").column("losses.energy");
    EXPECT_LT(losses.back(), -0.01 * energies.front());
    energies.push_back(losses.back());
    return energies;
  };
  const std::vector<double> expected = energies_of({}),
                            tensors = energies_of({"materials.0.epsilon_r=[2 + x*y, 2 + x*y, 2 + x*y]"});
  ASSERT_EQ(tensors.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(tensors[i], expected[i], 1e-11) << i;
}

TEST_F(SmoothTensors, of_a_crystal_whose_axes_turn_lose_energy_by_losses_poles_and_boundaries_alone) {
  const std::string cos = "cos(3*x + y)", sin = "sin(3*x + y)";  // eigenvalues 4, 2 and 3 + z
  const std::string crystal = "[[2 + 2*" + cos + "^2, 2*" + cos + "*" + sin + ", 0], [2*" + cos + "*" + sin +
                              ", 2 + 2*" + sin + "^2, 0], [0, 0, 3 + z]]";
  Simulation simulation(load(lossy_box, {"materials.0.epsilon_r=" + crystal}));
  simulation.run();
  const std::vector<double> energies = simulation.energies().column("total");
  for (std::size_t i = 1; i < energies.size(); ++i) EXPECT_LT(energies[i], energies[i - 1]) << i;
  EXPECT_LT(energies.back(), 0.2 * energies.front());
}

TEST_F(SmoothTensors, may_have_components_by_values_at_vertices) {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {2, 2, 2}});
  for (const dg::Point& x : mesh.vertices) {
    mesh.vertex_values["e_xx"].push_back(2 + x[0]);
    mesh.vertex_values["e_xy"].push_back(0.5 - x[2]);
  }
  write_mesh(mesh, folder() / "box.h5");
  const auto probe = [&](const std::string& xx, const std::string& xy, const std::string& profile) {
    Simulation simulation(
        load(lossy_box, {"mesh={file: box.h5}", "materials.0.profile=" + profile, "time.end=0.5",
                         "materials.0.epsilon_r=[[" + xx + ", " + xy + ", 0], [" + xy + ", 3, 0], [0, 0, 2]]"}));
    simulation.run();
    return simulation.probes().column("p.Ez");
  };
  const std::string xx = "{from_mesh: e_xx}", xy = "{from_mesh: e_xy}";
  const std::vector<double> by_vertices = probe(xx, xy, "smooth"), by_expression = probe("2 + x", "0.5 - z", "smooth"),
                            of_means = probe(xx, xy, "constant");
  ASSERT_EQ(by_vertices.size(), by_expression.size());
  for (std::size_t i = 0; i < by_vertices.size(); ++i) EXPECT_NEAR(by_vertices[i], by_expression[i], 1e-12);
  EXPECT_GT(std::abs(by_vertices.back() - of_means.back()), 1e-5);
}

TEST_F(SmoothTensors, that_are_no_medium_are_refused_with_material_and_place) {
  const auto with = [](const std::string& material) {
    return "units: normalized\nmesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [1, 1, 1]}}\ntime: {end: 1}\n"
           "materials: [{region: interior, profile: smooth, " +
           material + "}]\nboundaries: [{region: \"*\", type: pec}]\n";
  };
  // The means over elements are positive definite, and so are the values at their centroids.
  expect_refused(with("epsilon_r: [[1, 0, 0], [0, \"x + 0.1*y - 0.05\", 0], [0, 0, 1]]"),
                 "materials.0.epsilon_r: must be positive definite, and has the diagonal element -0.0");
  expect_refused(with("mu_r: [[1, \"1.3*x\", 0], [\"1.3*x\", 1, 0], [0, 0, 1]]"),
                 "materials.0.mu_r: must be positive definite, and has the eigenvalue -0.");
  expect_refused(with("mu_r: [[1, \"1.3*x\", 0], [\"1.3*x\", 1, 0], [0, 0, 1]]"), ") in region 'interior'");
  expect_refused(with("mu_r: [[2, x, 0], [0, 2, 0], [0, 0, 1]]"), "materials.0.mu_r: must be symmetric at (");
  expect_refused(with("mu_r: [1, 1, \"1/(x - 2)^400\"]"), "materials.0.mu_r: is ");
  expect_refused(with("epsilon_r: [2, x + 1, 2], sigma: 0.5 - x"), "materials.0.sigma: is -0.");
  expect_refused(with("epsilon_r: [2, 3, 2]"), "materials.0.profile: nothing of this medium varies within an element");
  expect_refused(with("epsilon_r: [2, {from_mesh: e}, 2]"),
                 "materials.0.epsilon_r.1.from_mesh: the mesh has no values");
}

}  // namespace
}  // namespace maxwell_dg::testing
