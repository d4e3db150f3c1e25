// Bring your own equations: waves in a cold plasma, Maxwell's equations with a current that the field accelerates,
//
//   dE/dt = curl H - J,   dH/dt = -curl E,   dJ/dt = wp^2 E.
//
// Nothing but the symbols below is written for it: kernels, tests against the reference and time stepping come along.
// The run checks the plasma's dispersion relation, w^2 = k^2 + wp^2, in a conducting box. Started by mpirun, ranks
// divide the box among them.

#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "core/error.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/observe/error_norms.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/time/stable_step.hpp"
#include "dg/time/time_loop.hpp"

using namespace maxwell_dg;
using namespace maxwell_dg::dg;
using namespace maxwell_dg::dg::symbolic;

System plasma() {
  System system{.name = "plasma"};
  const VectorField E = add_vector(system, "E"), H = add_vector(system, "H"), J = add_vector(system, "J");
  const Expr wp = inside(add_parameter(system, "plasma_frequency", 1.0));
  const Vector n = normal();

  set(system.volume, E, curl(H) - inside(J));
  set(system.volume, H, -curl(E));
  set(system.volume, J, wp * wp * inside(E));

  // Upwind flux in vacuum; the current is local, nothing of it crosses a face.
  set(system.flux, E, Expr(-0.5) * cross(n, jump(H) - cross(n, jump(E))));
  set(system.flux, H, Expr(0.5) * cross(n, jump(E) + cross(n, jump(H))));
  set(system.flux, J, Vector());

  System::Boundary conductor{.name = "pec"};
  set(conductor.outside, E, -inside(E));
  set(conductor.outside, H, inside(H));
  set(conductor.outside, J, inside(J));
  system.boundaries = {conductor};

  system.max_speed = 1.0;
  System::Energy energy{.name = "total"};
  set(energy.weights, E, Expr(0.5) * Vector(1, 1, 1));
  set(energy.weights, H, Expr(0.5) * Vector(1, 1, 1));
  set(energy.weights, J, (0.5 / (wp * wp)) * Vector(1, 1, 1));
  system.energies = {energy};
  return system;
}

int main() try {
  const double pi = std::numbers::pi, wp = 5.0, w = std::sqrt(2 * pi * pi + wp * wp);
  const auto discretization = std::make_shared<Discretization>(make_box({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}), 5);
  Problem problem{.system = plasma(), .parameters = {std::vector<double>(discretization->K(), wp)}};
  problem.boundary.assign(discretization->connectivity.boundary_faces.size(), 0);
  const core::Communicator ranks = core::Communicator::world();
  Operator op(rtcg::Compiler(core::Device::open("auto")), discretization, problem, {.ranks = ranks});

  const Expr x = coordinate(0), y = coordinate(1), t = dg::symbolic::time();
  const Expr shape = sin(pi * x) * sin(pi * y);
  const std::vector<Expr> mode{0.0,
                               0.0,
                               shape * cos(w * t),
                               -(pi / w) * sin(pi * x) * cos(pi * y) * sin(w * t),
                               (pi / w) * cos(pi * x) * sin(pi * y) * sin(w * t),
                               0.0,
                               0.0,
                               0.0,
                               (wp * wp / w) * shape * sin(w * t)};
  op.interpolate(mode, 0.0);
  const double period = 2 * pi / w;
  const auto steps = static_cast<long>(std::ceil(period / stable_step(*discretization, problem, lsrk54())));
  TimeLoop{.method = lsrk54(), .dt = period / static_cast<double>(steps), .steps = steps}.run(op);

  const double error = error_norms(op, mode, period).at(0).l2;
  if (ranks.is_first()) std::printf("plasma oscillation at w = %.4f: L2 error of E after one period %.2e\n", w, error);
  return error < 1e-4 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return static_cast<int>(error.code());
}
