#pragma once

#include <optional>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"
#include "dg/time/runge_kutta.hpp"

namespace maxwell_dg::dg {

/// The largest stable step known for an order and a flux, with a margin: stability_number(N, System::alpha, method) *
/// min over the elements of inscribed radius (Discretization) / largest wave speed, shortened where losses are fast:
/// 1/dt = c / (number r) + relaxation rate / (0.86 real_extent(method)). Mesh units over the system's speed.
[[nodiscard]] double stable_step(const Discretization& discretization, const Problem& problem,
                                 const RungeKutta& method);

/// c dt / r of the largest stable step, r the inscribed radius: measured from the spectrum of the operator (its
/// outermost eigenvalues by Arnoldi's method, scaled until one leaves the stability region of the Runge-Kutta method),
/// the smallest over Kuhn, regular, distorted, long and flat (1:20) meshes, less 5 %. Measured for central (`alpha` 0),
/// blended (0.5) and upwind (1) fluxes: between two of them the smaller, for an unknown flux the smallest.
/// `apps/examples/stability_limits` prints the table; a test holds it against the spectrum. Throws
/// std::invalid_argument for a method that was not measured.
[[nodiscard]] double stability_number(int N, std::optional<double> alpha, const RungeKutta& method);

/// How far a method's stability region reaches along the negative real axis.
[[nodiscard]] double real_extent(const RungeKutta& method);

/// What a run takes that asks for no method: the one with the fewest stages for a simulated time, each at its own
/// largest stable step, up to order 6; above, LSRK(5,4), since longer steps would cost the accuracy that the order was
/// chosen for (docs/theory.md has the figures).
[[nodiscard]] const RungeKutta& default_method(int N, std::optional<double> alpha);

}  // namespace maxwell_dg::dg
