#include "dg/observe/network_changes.hpp"

#include <cmath>
#include <complex>
#include <cstddef>

#include "dg/observe/complex_solve.hpp"

namespace maxwell_dg::dg {

Eigen::MatrixXcd with_planes_shifted(const Eigen::MatrixXcd& S, std::span<const double> radians) {
  Eigen::VectorXcd turn(S.rows());
  for (Eigen::Index p = 0; p < S.rows(); ++p) turn[p] = std::polar(1.0, radians[static_cast<std::size_t>(p)]);
  return turn.asDiagonal() * S * turn.asDiagonal();
}

Eigen::MatrixXcd with_reference(const Eigen::MatrixXcd& S, std::span<const double> from, double to) {
  Eigen::VectorXcd same(S.rows()), other(S.rows());  // what of a is in a', and of b
  for (Eigen::Index p = 0; p < S.rows(); ++p) {
    const double Z = from[static_cast<std::size_t>(p)], size = 2 * std::sqrt(Z * to);
    same[p] = (Z + to) / size;
    other[p] = (Z - to) / size;
  }
  Eigen::MatrixXcd in = other.asDiagonal() * S, out = same.asDiagonal() * S;
  in.diagonal() += same;
  out.diagonal() += other;
  return complex_solve(in.transpose(), out.transpose()).transpose();
}

}  // namespace maxwell_dg::dg
