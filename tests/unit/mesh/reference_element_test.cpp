#include "dg/reference/reference_element.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace maxwell_dg::dg {
namespace {

using Exponents = std::array<int, 3>;

std::vector<Exponents> monomials(int degree) {
  std::vector<Exponents> all;
  for (int a = 0; a <= degree; ++a) {
    for (int b = 0; b <= degree - a; ++b) {
      for (int c = 0; c <= degree - a - b; ++c) all.push_back({a, b, c});
    }
  }
  return all;
}

double power(double x, int n) { return n < 0 ? 0.0 : std::pow(x, n); }

/// x^a y^b z^c at the nodes, with x = (1 + r)/2 the barycentric coordinate of v1, and so on.
Eigen::VectorXd at_nodes(const ReferenceElement& e, const Exponents& m) {
  Eigen::VectorXd u(e.Np);
  for (int i = 0; i < e.Np; ++i) {
    u(i) = power((1 + e.r(i)) / 2, m[0]) * power((1 + e.s(i)) / 2, m[1]) * power((1 + e.t(i)) / 2, m[2]);
  }
  return u;
}

double factorial(int n) { return std::tgamma(n + 1); }

/// Integral of x^a y^b z^c over the reference tetrahedron: 8 a! b! c! / (a + b + c + 3)!.
double integral(const Exponents& m) {
  return 8 * factorial(m[0]) * factorial(m[1]) * factorial(m[2]) / factorial(m[0] + m[1] + m[2] + 3);
}

/// Integral over a face in its own coordinates (area 2): the one absent coordinate must have exponent 0, or it is 0.
/// On face 2 all three are present: x^a y^b z^c with x + y + z = 1.
double face_integral(int face, const Exponents& m) {
  if (face == 2) return 4 * factorial(m[0]) * factorial(m[1]) * factorial(m[2]) / factorial(m[0] + m[1] + m[2] + 2);
  const int absent = face == 0 ? 2 : face == 1 ? 1 : 0;
  if (m[absent] > 0) return 0;
  return 4 * factorial(m[0]) * factorial(m[1]) * factorial(m[2]) / factorial(m[0] + m[1] + m[2] + 2);
}

std::array<double, 4> barycentric(const ReferenceElement& e, int i) {
  return {-0.5 * (1 + e.r(i) + e.s(i) + e.t(i)), 0.5 * (1 + e.r(i)), 0.5 * (1 + e.s(i)), 0.5 * (1 + e.t(i))};
}

class EveryOrder : public testing::TestWithParam<int> {
 protected:
  const ReferenceElement e = ReferenceElement::make(GetParam());
};
INSTANTIATE_TEST_SUITE_P(N, EveryOrder, testing::Range(1, ReferenceElement::max_order + 1));

TEST_P(EveryOrder, derivatives_of_polynomials_are_exact) {
  for (const auto& m : monomials(e.N)) {
    const auto [a, b, c] = m;
    const Eigen::VectorXd u = at_nodes(e, m);
    // d/dr = 1/2 d/dx
    EXPECT_LT((e.Dr * u - 0.5 * a * at_nodes(e, {a - 1, b, c})).cwiseAbs().maxCoeff(), 2e-12);
    EXPECT_LT((e.Ds * u - 0.5 * b * at_nodes(e, {a, b - 1, c})).cwiseAbs().maxCoeff(), 2e-12);
    EXPECT_LT((e.Dt * u - 0.5 * c * at_nodes(e, {a, b, c - 1})).cwiseAbs().maxCoeff(), 2e-12);
  }
}

TEST_P(EveryOrder, mass_matrix_integrates_products_exactly) {
  const auto all = monomials(e.N);
  for (const auto& m : all) {
    const Eigen::VectorXd Mu = e.M * at_nodes(e, m);
    for (const auto& n : all) {
      EXPECT_NEAR(at_nodes(e, n).dot(Mu), integral({m[0] + n[0], m[1] + n[1], m[2] + n[2]}), 1e-13);
    }
  }
}

TEST_P(EveryOrder, modal_basis_is_orthonormal) {
  EXPECT_LT((e.V.transpose() * e.M * e.V - Eigen::MatrixXd::Identity(e.Np, e.Np)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((e.V * e.invV - Eigen::MatrixXd::Identity(e.Np, e.Np)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(EveryOrder, lift_integrates_over_each_face_exactly) {
  const auto all = monomials(e.N);
  const Eigen::MatrixXd E = e.M * e.LIFT;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    for (const auto& m : all) {
      const Eigen::VectorXd u = at_nodes(e, m);
      Eigen::VectorXd trace(e.Nfp);
      for (int k = 0; k < e.Nfp; ++k) trace(k) = u(e.Fmask(k, face));
      const Eigen::VectorXd lifted = E.middleCols(face * e.Nfp, e.Nfp) * trace;
      for (const auto& n : all) {
        EXPECT_NEAR(at_nodes(e, n).dot(lifted), face_integral(face, {m[0] + n[0], m[1] + n[1], m[2] + n[2]}), 1e-13);
      }
    }
  }
}

TEST_P(EveryOrder, integration_by_parts_holds_discretely) {
  // M D + (M D)^T = sum over faces of (area-weighted reference normal) * (face mass matrix).
  const Eigen::MatrixXd E = e.M * e.LIFT;
  const auto faces_to_volume = [&](int face) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(e.Np, e.Np);
    for (int k = 0; k < e.Nfp; ++k) B.col(e.Fmask(k, face)) = E.col(face * e.Nfp + k);
    return B;
  };
  const Eigen::MatrixXd slanted = faces_to_volume(2);
  const auto error = [&](const Eigen::MatrixXd& D, int opposite) {
    const Eigen::MatrixXd S = e.M * D;
    return (S + S.transpose() - slanted + faces_to_volume(opposite)).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(error(e.Dr, 3), 1e-12);
  EXPECT_LT(error(e.Ds, 1), 1e-12);
  EXPECT_LT(error(e.Dt, 0), 1e-12);
}

TEST_P(EveryOrder, nodes_are_invariant_under_all_vertex_permutations) {
  std::array<int, 4> permutation{0, 1, 2, 3};
  do {
    for (int i = 0; i < e.Np; ++i) {
      const auto from = barycentric(e, i);
      double nearest = 1;
      for (int j = 0; j < e.Np; ++j) {
        const auto to = barycentric(e, j);
        double deviation = 0;
        for (int a = 0; a < 4; ++a) deviation = std::max(deviation, std::abs(to[a] - from[permutation[a]]));
        nearest = std::min(nearest, deviation);
      }
      ASSERT_LT(nearest, 1e-13) << "node " << i;
    }
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST_P(EveryOrder, every_face_lists_its_nodes_alike) {
  constexpr std::array<std::array<int, 3>, 4> corners{{{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}}};
  ASSERT_EQ(e.Fmask.rows(), e.Nfp);
  for (int face = 0; face < 4; ++face) {
    for (int k = 0; k < e.Nfp; ++k) {
      const auto reference = barycentric(e, e.Fmask(k, 0));
      const auto here = barycentric(e, e.Fmask(k, face));
      for (int corner = 0; corner < 3; ++corner) {
        EXPECT_NEAR(here[corners[face][corner]], reference[corners[0][corner]], 1e-14);
      }
    }
  }
}

TEST_P(EveryOrder, edges_carry_gauss_lobatto_nodes) {
  // Nodes 0 ... N lie on the edge v0 v1; inside, they are zeros of P_N'.
  for (int i = 0; i <= e.N; ++i) {
    EXPECT_EQ(e.s(i), -1);
    EXPECT_EQ(e.t(i), -1);
    double p0 = 1, p1 = e.r(i);
    for (int n = 1; n < e.N; ++n) {
      const double p2 = ((2 * n + 1) * e.r(i) * p1 - n * p0) / (n + 1);
      p0 = p1;
      p1 = p2;
    }
    EXPECT_NEAR(p0 - e.r(i) * p1, 0, 1e-14) << "(1 - x^2) P_N' / N at node " << i;
  }
}

TEST_P(EveryOrder, interpolation_is_well_conditioned) {
  // Lebesgue constants with the optimised blending, rounded up; with none, orders 5 to 9 are above these. By symmetry
  // one of the 24 pieces of the tetrahedron is enough.
  constexpr std::array<double, 10> bound{0, 1.001, 2.001, 2.95, 4.1, 5.31, 7.0, 9.3, 12.6, 16.6};
  double lebesgue = 0;
  const int n = 40;
  for (int k = 0; k <= n; ++k) {
    for (int j = 0; j <= std::min(k, n - k); ++j) {
      for (int i = 0; i <= std::min(j, n - j - k); ++i) {
        if (n - i - j - k < k) continue;
        const auto weights = e.lagrange(2.0 * i / n - 1, 2.0 * j / n - 1, 2.0 * k / n - 1);
        lebesgue = std::max(lebesgue, weights.cwiseAbs().sum());
      }
    }
  }
  EXPECT_LT(lebesgue, bound[e.N]);
}

TEST_P(EveryOrder, lagrange_weights_interpolate_polynomials_anywhere) {
  const auto weights = e.lagrange(-0.3, -0.8, -0.1);
  for (const auto& m : monomials(e.N)) {
    EXPECT_NEAR(weights.dot(at_nodes(e, m)), power(0.35, m[0]) * power(0.1, m[1]) * power(0.45, m[2]), 1e-13);
  }
  for (int i = 0; i < e.Np; ++i) EXPECT_NEAR(e.lagrange(e.r(i), e.s(i), e.t(i))(i), 1, 1e-12);
}

TEST(ReferenceElement, orders_outside_1_to_9_are_refused) {
  EXPECT_THROW((void)ReferenceElement::make(0), std::invalid_argument);
  EXPECT_THROW((void)ReferenceElement::make(10), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
