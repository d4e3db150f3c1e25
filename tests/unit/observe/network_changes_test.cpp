#include "dg/observe/network_changes.hpp"

#include <array>
#include <cmath>
#include <complex>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;

/// V = Z I, whatever the reference.
Matrix impedances(const Matrix& S, const std::array<double, 2>& reference) {
  Matrix root = Matrix::Zero(2, 2);
  for (Eigen::Index p = 0; p < 2; ++p) root(p, p) = std::sqrt(reference.at(static_cast<std::size_t>(p)));
  const Matrix one = Matrix::Identity(2, 2);
  return root * (one - S).inverse() * (one + S) * root;
}

TEST(NetworkChanges, of_reference_leaves_voltages_and_currents_as_they_are) {
  Matrix S(2, 2);
  S << Complex(0.3, -0.2), Complex(0.5, 0.4), Complex(0.1, 0.6), Complex(-0.2, 0.1);  // no reciprocity
  const std::array from{50.0, 75.0};
  const Matrix changed = with_reference(S, from, 20);
  EXPECT_LT((impedances(changed, {20, 20}) - impedances(S, from)).norm(), 1e-11);
  EXPECT_GT((changed - S).norm(), 0.1);
}

TEST(NetworkChanges, of_a_load_is_its_reflection) {
  const Complex load(73, 42.5);
  const Matrix S = Matrix::Constant(1, 1, (load - 50.0) / (load + 50.0));
  const std::array from{50.0};
  EXPECT_LT(std::abs(with_reference(S, from, 75)(0, 0) - (load - 75.0) / (load + 75.0)), 1e-14);
}

/// A line, of which nothing is left between planes in its middle.
TEST(NetworkChanges, of_planes_take_out_the_line_in_front_of_them) {
  constexpr double beta = 3, length = 0.7;
  Matrix S = Matrix::Zero(2, 2);
  S(0, 1) = S(1, 0) = std::polar(1.0, -beta * length);
  const std::array radians{0.5 * beta * length, 0.5 * beta * length};
  const Matrix none = with_planes_shifted(S, radians);
  EXPECT_LT(std::abs(none(0, 1) - 1.0), 1e-14);
  // A short at the end of a line, seen from there.
  const Matrix short_behind = Matrix::Constant(1, 1, -std::polar(1.0, -2 * beta * length));
  const std::array whole{beta * length};
  EXPECT_LT(std::abs(with_planes_shifted(short_behind, whole)(0, 0) + 1.0), 1e-14);
}

}  // namespace
}  // namespace maxwell_dg::dg
