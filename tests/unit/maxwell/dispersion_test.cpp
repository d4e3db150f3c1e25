#include "dg/maxwell/dispersion.hpp"

#include <complex>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/time/spectrum.hpp"
#include "dg/time/stable_step.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

/// Poles that are much faster than waves cross an element, so that they alone bound the step.
TEST(DispersiveMedia, leave_steps_within_the_stable_one_also_where_poles_do_not_decay) {
  using Model = Pole::Model;
  const Discretization d(make_box({{0, 0, 0}, {1, 1, 1}, {1, 1, 1}}), 1);
  for (const Pole& pole :
       {Pole{Model::debye, 2.0, 300.0}, Pole{Model::drude, 300.0, 0.0}, Pole{Model::drude, 300.0, 300.0},
        Pole{Model::lorentz, 2.0, 0.0, 300.0}, Pole{Model::lorentz, 0.1, 50.0, 300.0}}) {
    Problem problem{.system = system({.alpha = 1.0})};
    for (const auto& parameter : problem.system.parameters) {
      problem.parameters.emplace_back(d.K(), parameter.default_value);
    }
    problem.boundary.assign(d.connectivity.boundary_faces.size(), 0);
    DispersiveMedium medium{.poles = {pole}, .elements = std::vector<std::int32_t>(d.K())};
    std::iota(medium.elements.begin(), medium.elements.end(), 0);
    problem.element_terms = dispersion_terms(problem.system, {medium});
    const std::vector<std::complex<double>> eigenvalues = all_eigenvalues(d, problem);
    for (const RungeKutta* method : runge_kutta_methods()) {
      const double step = stable_step(d, problem, *method), limit = largest_stable_step(eigenvalues, *method);
      const std::string where = method->name + ", model " + std::to_string(static_cast<int>(pole.model)) + ", decay " +
                                std::to_string(pole.rate);
      EXPECT_LT(step, limit) << where;
      EXPECT_GT(step, limit / 6) << where;
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
