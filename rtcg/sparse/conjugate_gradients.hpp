#pragma once

#include <cstdint>

#include "rtcg/sparse/error.hpp"
#include "rtcg/sparse/sparse_matrix.hpp"

namespace maxwell_dg::rtcg {

enum class Preconditioner {
  none,
  jacobi  ///< divides by the diagonal
};

struct ConjugateGradientsOptions {
  double tolerance = 0;  ///< of the residual, relative to the right-hand side; 0: 1e-5 in float32, 1e-10 in float64
  std::int64_t most_iterations = 0;  ///< 0: ten times the rows
  Preconditioner preconditioner = Preconditioner::jacobi;
  std::int64_t batch = 32;  ///< iterations between looks from the host
};

struct ConjugateGradientsResult {
  std::int64_t iterations = 0;
  double residual = 0;  ///< of the x that is returned, computed anew: |b - A x| / |b|
};

/// Solves A x = b for a symmetric positive definite matrix (Hestenes, Stiefel, J. Res. NBS 49 (1952) 409). x holds the
/// first guess, then the solution. The device itself sees convergence and stops changing x; the host looks once in a
/// batch.
///
/// Throws SolverError when the matrix shows itself not to be positive definite (p' A p <= 0, a diagonal entry that is
/// not above 0 with the Jacobi preconditioner), when numbers are no longer finite, and when the tolerance is not met in
/// the iterations given; x then is what was reached. DtypeError unless real; ShapeError.
ConjugateGradientsResult conjugate_gradients(const SparseMatrix& matrix, const DeviceArray& b, const DeviceArray& x,
                                             const ConjugateGradientsOptions& options = {});

}  // namespace maxwell_dg::rtcg
