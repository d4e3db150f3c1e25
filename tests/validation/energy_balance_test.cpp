#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "dg/maxwell/current.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/symbolic/differentiate.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {
namespace {

struct Balance {
  double unaccounted;  ///< change of the energy less what powers put in, over the largest of those
  std::vector<double> put_in;
};

/// A dipole beside a block with losses and a pole, in a box whose walls absorb, conduct or have an impedance.
Balance balance_of_a_run(double share_of_stable_step) {
  using namespace symbolic;
  const auto in_block = [](const Point& c) { return c[2] > 0.4; };
  TestRun run(
      {.mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 3, 3}}),
       .N = 3,
       .system = maxwell::system({.impedances = {0.5}}),
       .boundary = "absorbing",
       .materials =
           [&](const Point& c) {
             return in_block(c) ? std::vector<double>{2, 1, 0.7} : std::vector<double>{1, 1, 0};
           },
       .powers = true,
       .extend =
           [&](const Discretization& d, Problem& problem) {
             for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
               const auto surface = static_cast<std::size_t>(d.connectivity.boundary_faces[b].surface);
               const std::string& name = d.mesh.surfaces[surface];
               if (name == "x_min") problem.boundary[b] = problem.system.find_boundary("pec");
               if (name == "y_min") problem.boundary[b] = problem.system.find_boundary("impedance_0");
             }
             maxwell::DispersiveMedium block{.poles = {{maxwell::Pole::Model::lorentz, 0.5, 1.0, 5.0}}, .elements = {}};
             for (std::size_t k = 0; k < d.K(); ++k) {
               if (in_block(centroid(d.mesh, d.mesh.cells[k]))) {
                 block.elements.push_back(static_cast<std::int32_t>(k));
               }
             }
             problem.element_terms = maxwell::dispersion_terms(problem.system, {block});
             const Expr since = (time() - 1.2) / 0.25;
             problem.element_terms.push_back(
                 maxwell::dipole_term(problem.system, d, {0.45, 0.5, 0.3}, maxwell::DipoleKind::electric,
                                      {0.0, 0.0, time_derivative(exp(-0.5 * (since * since)))}));
           }});
  run.advance(3.0, share_of_stable_step * run.stable_step());
  Balance balance{.unaccounted = run.energy(), .put_in = run.op().injected_energies()};
  double largest = 0;
  for (const double energy : balance.put_in) {
    balance.unaccounted -= energy;
    largest = std::max(largest, std::abs(energy));
  }
  balance.unaccounted = std::abs(balance.unaccounted) / largest;
  for (std::size_t p = 0; p < balance.put_in.size(); ++p) {
    const bool source = run.op().power_names()[p] == "electric_dipole";
    EXPECT_EQ(balance.put_in[p] > 0, source) << run.op().power_names()[p];
    EXPECT_GT(std::abs(balance.put_in[p]), 1e-4 * largest) << run.op().power_names()[p] << ": nothing measured";
  }
  return balance;
}

TEST(EnergyBalance, closes_to_1e_6_and_better_with_smaller_steps) {
  const Balance coarse = balance_of_a_run(0.5), fine = balance_of_a_run(0.25);
  report_rate("unaccounted", rate(coarse.unaccounted, fine.unaccounted), coarse.unaccounted);
  EXPECT_EQ(coarse.put_in.size(), 7U);
  EXPECT_LT(coarse.unaccounted, 1e-6);
  EXPECT_GT(rate(coarse.unaccounted, fine.unaccounted), 3.5) << coarse.unaccounted << ", " << fine.unaccounted;
}

}  // namespace
}  // namespace maxwell_dg::dg
