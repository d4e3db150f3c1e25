#pragma once

#include <complex>
#include <vector>

#include "dg/operator/operator.hpp"
#include "dg/time/runge_kutta.hpp"

namespace maxwell_dg::dg {

/// Approximations of the outermost eigenvalues of the right-hand side (at t = 0, without sources), by Arnoldi's method
/// with `dimension` steps in the inner product of the energy: a flux that never adds energy then has no eigenvalue, nor
/// approximation of one, right of the imaginary axis. Costs `dimension` right-hand sides and overwrites the state.
[[nodiscard]] std::vector<std::complex<double>> outermost_eigenvalues(Operator& op, int dimension = 80);

/// The largest dt for which no eigenvalue, times dt, has left the method's stability region.
[[nodiscard]] double largest_stable_step(const std::vector<std::complex<double>>& eigenvalues,
                                         const RungeKutta& method);

}  // namespace maxwell_dg::dg
