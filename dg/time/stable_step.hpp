#pragma once

#include "dg/operator/discretization.hpp"
#include "dg/symbolic/system.hpp"
#include "dg/time/runge_kutta.hpp"

namespace maxwell_dg::dg {

/// The largest stable step known for an order, with a margin: stability_number(N, method) * min over the elements of
/// inscribed radius / largest wave speed, shortened where losses are fast: 1/dt = c / (number r) + relaxation rate / 4.
/// Mesh units over the system's speed.
[[nodiscard]] double stable_step(const Discretization& discretization, const Problem& problem,
                                 const RungeKutta& method);

/// c dt / r of the largest stable step, r the inscribed radius: measured from the spectrum of the operator (its
/// outermost eigenvalues by Arnoldi's method, scaled until one leaves the stability region of the Runge-Kutta method),
/// the smallest over Kuhn, regular, distorted, long and flat (1:20) meshes and over fluxes from central to upwind, less 5 %.
/// `apps/examples/stability_limits` prints the table; a test holds it against the spectrum.
[[nodiscard]] double stability_number(int N, const RungeKutta& method);

}  // namespace maxwell_dg::dg
