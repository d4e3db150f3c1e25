// A solver in forty lines: the lowest mode of a conducting box, from a mesh to an error.

#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "core/error.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/observe/error_norms.hpp"
#include "dg/time/stable_step.hpp"
#include "dg/time/time_loop.hpp"

using namespace maxwell_dg;
using namespace maxwell_dg::dg;

int main() try {
  // Mesh: the unit cube; polynomials of order 4.
  const auto discretization = std::make_shared<Discretization>(make_box({{0, 0, 0}, {1, 1, 1}, {4, 4, 4}}), 4);

  // System: Maxwell in vacuum, conducting walls.
  Problem problem{.system = maxwell::system()};
  for (const auto& p : problem.system.parameters) problem.parameters.emplace_back(discretization->K(), p.default_value);
  problem.boundary.assign(discretization->connectivity.boundary_faces.size(), problem.system.find_boundary("pec"));

  // Operator: kernels generated, compiled and loaded for the device that is there.
  Operator op(rtcg::Compiler(core::Device::open("auto")), discretization, problem, {.precision = Dtype::float64});

  // Initial state: Ez = sin(pi x) sin(pi y) cos(w t) with w = sqrt(2) pi, and the H that belongs to it.
  using namespace symbolic;
  const double pi = std::numbers::pi, w = std::sqrt(2.0) * pi;
  const Expr x = coordinate(0), y = coordinate(1), t = dg::symbolic::time();
  const std::vector<Expr> mode{0.0,
                               0.0,
                               sin(pi * x) * sin(pi * y) * cos(w * t),
                               -(pi / w) * sin(pi * x) * cos(pi * y) * sin(w * t),
                               (pi / w) * cos(pi * x) * sin(pi * y) * sin(w * t),
                               0.0};
  op.interpolate(mode, 0.0);

  // Stepper: one period, in steps just below the largest stable one.
  const double period = 2 * pi / w;
  const auto steps = static_cast<long>(std::ceil(period / stable_step(*discretization, problem, lsrk54())));
  TimeLoop{.method = lsrk54(), .dt = period / static_cast<double>(steps), .steps = steps}.run(op);

  const ErrorNorm error = error_norms(op, mode, period).at(0);
  std::printf("%s after one period: L2 error %.2e, largest %.2e\n", error.name.c_str(), error.l2, error.linf);
  return error.l2 < 1e-4 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return static_cast<int>(error.code());
}
