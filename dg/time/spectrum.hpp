#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

#include "dg/lowering/reference_operator.hpp"
#include "dg/operator/operator.hpp"
#include "dg/time/runge_kutta.hpp"

namespace maxwell_dg::dg {

/// Approximations of the outermost eigenvalues of the right-hand side (at t = 0, without sources), by Arnoldi's method
/// with `dimension` steps in the inner product of the energy: a flux that never adds energy then has no eigenvalue, nor
/// approximation of one, right of the imaginary axis. Costs `dimension` right-hand sides and overwrites the state.
[[nodiscard]] std::vector<std::complex<double>> outermost_eigenvalues(Operator& op, int dimension = 80);

/// All of a small problem, of some hundred unknowns n: O(n^3).
struct DenseSpectrum {
  std::vector<std::complex<double>> eigenvalues;
  double growth{};  ///< no state's energy grows faster than exp(2 growth t)
};

/// Of the right-hand side at t = 0, without sources, by the matrix of the operator in the inner product of its energy.
/// Throws std::domain_error where the energy is not positive, as on curved elements that are not valid.
[[nodiscard]] DenseSpectrum dense_spectrum(const ReferenceOperator& op);

/// The right-hand side of a small problem at t = 0, without sources, as a matrix. The unknowns are the fields' nodal
/// values, then the auxiliary variables, both ordered as in ReferenceOperator.
[[nodiscard]] Eigen::MatrixXd dense_matrix(const Discretization& discretization, const Problem& problem);

/// All eigenvalues of dense_matrix: O(n^3).
[[nodiscard]] std::vector<std::complex<double>> all_eigenvalues(const Discretization& discretization,
                                                                const Problem& problem);

/// Those eigenvalues of a sparse matrix that Arnoldi's method with `dimension` steps and the inverse of A - shift has
/// to a relative 1e-8: the nearest to `shift`, which is none itself. With a shift on the positive axis they tell of
/// growing modes at a fraction of what all_eigenvalues takes: a sparse factorization and `dimension` solutions with it.
[[nodiscard]] std::vector<std::complex<double>> eigenvalues_near(double shift, const Eigen::MatrixXd& matrix,
                                                                 int dimension = 200);

/// The largest dt for which no eigenvalue, times dt, has left the method's stability region.
[[nodiscard]] double largest_stable_step(const std::vector<std::complex<double>>& eigenvalues,
                                         const RungeKutta& method);

}  // namespace maxwell_dg::dg
