#include "dg/reference/reference_element.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

double power(double x, int n) {
  return n < 0 ? 0.0 : std::pow(x, n);
}

/// x^a y^b z^c at the nodes, with x = (1 + r)/2 the barycentric coordinate of v1, and so on.
Eigen::VectorXd at_nodes(const ReferenceElement& e, const Exponents& m) {
  Eigen::VectorXd u(e.Np);
  for (int i = 0; i < e.Np; ++i) {
    u(i) = power((1 + e.r(i)) / 2, m[0]) * power((1 + e.s(i)) / 2, m[1]) * power((1 + e.t(i)) / 2, m[2]);
  }
  return u;
}

/// [Np, monomials]
Eigen::MatrixXd all_at_nodes(const ReferenceElement& e, const std::vector<Exponents>& all) {
  Eigen::MatrixXd U(e.Np, all.size());
  for (std::size_t m = 0; m < all.size(); ++m) U.col(m) = at_nodes(e, all[m]);
  return U;
}

Exponents product(const Exponents& a, const Exponents& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

double factorial(int n) {
  return std::tgamma(n + 1);
}

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

/// Runs a claim on every order.
template <class Claim>
void for_every_order(const Claim& claim) {
  for (int N = 1; N <= ReferenceElement::max_order; ++N) {
    SCOPED_TRACE("order " + std::to_string(N));
    claim(ReferenceElement::make(N));
  }
}

TEST(ReferenceElement, derivatives_of_polynomials_are_exact) {
  for_every_order([](const ReferenceElement& e) {
    for (const auto& m : monomials(e.N)) {
      const auto [a, b, c] = m;
      const Eigen::VectorXd u = at_nodes(e, m);
      // d/dr = 1/2 d/dx
      EXPECT_LT((e.Dr * u - 0.5 * a * at_nodes(e, {a - 1, b, c})).cwiseAbs().maxCoeff(), 2e-12);
      EXPECT_LT((e.Ds * u - 0.5 * b * at_nodes(e, {a, b - 1, c})).cwiseAbs().maxCoeff(), 2e-12);
      EXPECT_LT((e.Dt * u - 0.5 * c * at_nodes(e, {a, b, c - 1})).cwiseAbs().maxCoeff(), 2e-12);
    }
  });
}

TEST(ReferenceElement, mass_matrix_integrates_products_exactly) {
  for_every_order([](const ReferenceElement& e) {
    const auto all = monomials(e.N);
    const Eigen::MatrixXd U = all_at_nodes(e, all);
    const Eigen::MatrixXd integrals = U.transpose() * e.M * U;
    for (std::size_t m = 0; m < all.size(); ++m) {
      for (std::size_t n = 0; n < all.size(); ++n)
        EXPECT_NEAR(integrals(m, n), integral(product(all[m], all[n])), 1e-13);
    }
  });
}

TEST(ReferenceElement, modal_basis_is_orthonormal) {
  for_every_order([](const ReferenceElement& e) {
    EXPECT_LT((e.V.transpose() * e.M * e.V - Eigen::MatrixXd::Identity(e.Np, e.Np)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((e.V * e.invV - Eigen::MatrixXd::Identity(e.Np, e.Np)).cwiseAbs().maxCoeff(), 1e-12);
  });
}

TEST(ReferenceElement, lift_integrates_over_each_face_exactly) {
  for_every_order([](const ReferenceElement& e) {
    const auto all = monomials(e.N);
    const Eigen::MatrixXd U = all_at_nodes(e, all);
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      Eigen::MatrixXd traces(e.Nfp, U.cols());
      for (int k = 0; k < e.Nfp; ++k) traces.row(k) = U.row(e.Fmask(k, face));
      const Eigen::MatrixXd integrals = U.transpose() * e.M * e.LIFT.middleCols(face * e.Nfp, e.Nfp) * traces;
      for (std::size_t m = 0; m < all.size(); ++m) {
        for (std::size_t n = 0; n < all.size(); ++n) {
          EXPECT_NEAR(integrals(m, n), face_integral(face, product(all[m], all[n])), 1e-13);
        }
      }
    }
  });
}

TEST(ReferenceElement, integration_by_parts_holds_discretely) {
  for_every_order([](const ReferenceElement& e) {
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
  });
}

TEST(ReferenceElement, nodes_are_invariant_under_all_vertex_permutations) {
  for_every_order([](const ReferenceElement& e) {
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
  });
}

TEST(ReferenceElement, every_face_lists_its_nodes_alike) {
  for_every_order([](const ReferenceElement& e) {
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
  });
}

TEST(ReferenceElement, edges_carry_gauss_lobatto_nodes) {
  for_every_order([](const ReferenceElement& e) {
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
  });
}

TEST(ReferenceElement, interpolation_is_well_conditioned) {
  for_every_order([](const ReferenceElement& e) {
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
  });
}

TEST(ReferenceElement, lagrange_weights_interpolate_polynomials_anywhere) {
  for_every_order([](const ReferenceElement& e) {
    const auto weights = e.lagrange(-0.3, -0.8, -0.1);
    for (const auto& m : monomials(e.N)) {
      EXPECT_NEAR(weights.dot(at_nodes(e, m)), power(0.35, m[0]) * power(0.1, m[1]) * power(0.45, m[2]), 1e-13);
    }
    for (int i = 0; i < e.Np; ++i) EXPECT_NEAR(e.lagrange(e.r(i), e.s(i), e.t(i))(i), 1, 1e-12);
  });
}

TEST(ReferenceElement, orders_outside_1_to_9_are_refused) {
  EXPECT_THROW((void)ReferenceElement::make(0), std::invalid_argument);
  EXPECT_THROW((void)ReferenceElement::make(10), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
