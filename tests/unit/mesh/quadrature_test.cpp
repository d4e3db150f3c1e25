#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <gtest/gtest.h>

#include "dg/reference/element_quadrature.hpp"
#include "dg/reference/gauss_jacobi.hpp"
#include "dg/reference/gauss_legendre.hpp"

namespace maxwell_dg::dg {
namespace {

TEST(GaussJacobi, integrates_polynomials_of_twice_its_points_less_one) {
  for (const int alpha : {0, 1, 2}) {
    for (int points = 1; points <= 11; ++points) {
      const GaussJacobi rule = GaussJacobi::make(points, alpha);
      for (int n = 0; n < 2 * points; ++n) {  // of (1 - x)^n
        double sum = 0;
        for (Eigen::Index i = 0; i < points; ++i) sum += rule.weights[i] * std::pow(1 - rule.x[i], n);
        EXPECT_NEAR(sum / (std::pow(2.0, n + alpha + 1) / (n + alpha + 1)), 1, 1e-12) << points << ", " << n;
      }
    }
  }
}

TEST(GaussJacobi, is_gauss_legendre_with_weight_1) {
  for (const int points : {1, 4, 9}) {
    const GaussJacobi rule = GaussJacobi::make(points, 0);
    const GaussLegendre legendre = GaussLegendre::make(points);
    EXPECT_LT((rule.x - legendre.x).norm() + (rule.weights - legendre.weights).norm(), 1e-13);
  }
}

using ExactTo = TetrahedronQuadrature (*)(int degree);
constexpr ExactTo tetrahedron_rules[] = {TetrahedronQuadrature::exact_to, TetrahedronQuadrature::collapsed};

TEST(TetrahedronQuadrature, integrates_polynomials_exactly) {
  // Integral of x^a y^b z^c, x = (1 + r)/2 and so on: 8 a! b! c! / (a + b + c + 3)!.
  for (const ExactTo exact_to : tetrahedron_rules) {
    for (int degree = 0; degree <= 20; ++degree) {
      const TetrahedronQuadrature q = exact_to(degree);
      for (int a = 0; a <= degree; ++a) {
        for (int b = 0; b <= degree - a; ++b) {
          const int c = degree - a - b;  // those of lower degree are sums of such
          double sum = 0;
          for (std::size_t i = 0; i < q.size(); ++i) {
            sum += q.weights[i] * std::pow((1 + q.r[i]) / 2, a) * std::pow((1 + q.s[i]) / 2, b) *
                   std::pow((1 + q.t[i]) / 2, c);
          }
          const double exact =
              8 * std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1) / std::tgamma(a + b + c + 4);
          EXPECT_NEAR(sum / exact, 1, 1e-11) << "degree " << degree << ": " << a << ' ' << b << ' ' << c;
        }
      }
      double volume = 0;
      for (const double weight : q.weights) volume += weight;
      EXPECT_NEAR(volume, 4.0 / 3, 1e-13) << "degree " << degree;
    }
  }
}

TEST(TetrahedronQuadrature, has_positive_weights_and_points_inside) {
  for (const ExactTo exact_to : tetrahedron_rules) {
    for (int degree = 0; degree <= 20; ++degree) {
      const TetrahedronQuadrature q = exact_to(degree);
      for (std::size_t i = 0; i < q.size(); ++i) {
        EXPECT_GT(q.weights[i], 0) << degree;
        EXPECT_GT(std::min({q.r[i], q.s[i], q.t[i]}), -1) << degree;
        EXPECT_LT(q.r[i] + q.s[i] + q.t[i], -1) << degree;
      }
    }
    EXPECT_THROW((void)exact_to(-1), std::invalid_argument);
  }
}

TEST(TetrahedronQuadrature, has_as_many_points_as_the_table_of_costs_says) {
  const std::size_t expected[] = {4, 14, 24, 46, 81, 168, 204, 304, 436};  // docs/theory.md
  for (int N = 1; N <= 9; ++N) EXPECT_EQ(TetrahedronQuadrature::exact_to(2 * N).size(), expected[N - 1]);
}

TEST(TriangleQuadrature, of_few_points_integrates_polynomials_exactly_with_positive_weights_inside) {
  const std::size_t expected[] = {3, 6, 12, 16, 25, 33, 42, 55, 67};  // docs/theory.md
  for (int degree = 0; degree <= 20; ++degree) {
    const TriangleQuadrature q = TriangleQuadrature::symmetric(degree);
    if (degree % 2 == 0 && degree > 0 && degree <= 18) {
      EXPECT_EQ(q.r.size(), expected[degree / 2 - 1]);
    }
    for (int a = 0; a <= degree; ++a) {
      const int b = degree - a;
      double sum = 0;
      for (std::size_t i = 0; i < q.r.size(); ++i) {
        EXPECT_GT(q.weights[i], 0) << degree;
        EXPECT_TRUE(q.r[i] > -1 && q.s[i] > -1 && q.r[i] + q.s[i] < 0) << degree;
        sum += q.weights[i] * std::pow((1 + q.r[i]) / 2, a) * std::pow((1 + q.s[i]) / 2, b);
      }
      EXPECT_NEAR(sum / (4 * std::tgamma(a + 1) * std::tgamma(b + 1) / std::tgamma(a + b + 3)), 1, 1e-11) << degree;
    }
  }
  EXPECT_THROW((void)TriangleQuadrature::symmetric(-1), std::invalid_argument);
}

/// A polynomial of degree N that is nothing special.
double polynomial(int N, const std::array<double, 3>& x) {
  return std::pow(0.3 + 0.5 * x[0] - 0.2 * x[1] + 0.4 * x[2], N) + 0.3 * x[0];
}

TEST(ElementQuadrature, has_a_polynomials_values_at_its_points_and_projects_them_back) {
  for (int N = 1; N <= ReferenceElement::max_order; ++N) {
    const ReferenceElement reference = ReferenceElement::make(N);
    const ElementQuadrature q = ElementQuadrature::make(reference);
    Eigen::VectorXd nodal(reference.Np);
    for (int i = 0; i < reference.Np; ++i) nodal(i) = polynomial(N, {reference.r(i), reference.s(i), reference.t(i)});
    const Eigen::VectorXd at_points = q.at_volume * nodal;
    const auto points = q.points_in_volume();
    for (int i = 0; i < q.volume_points(); ++i) EXPECT_NEAR(at_points(i), polynomial(N, points.at(i)), 1e-11) << N;
    EXPECT_LT((q.from_volume * at_points - nodal).norm(), 1e-11) << N;
    for (int face = 0; face < 4; ++face) {
      Eigen::VectorXd on_face(reference.Nfp);
      for (int i = 0; i < reference.Nfp; ++i) on_face(i) = nodal(reference.Fmask(i, face));
      const Eigen::VectorXd at_face = q.at_face * on_face;
      const auto points_on_face = q.points_on_face(face);
      for (int i = 0; i < q.face_points(); ++i) {
        EXPECT_NEAR(at_face(i), polynomial(N, points_on_face.at(i)), 1e-11) << N << ", face " << face;
      }
    }
  }
}

TEST(ElementQuadrature, lifts_polynomials_as_LIFT_does) {
  for (int N = 1; N <= ReferenceElement::max_order; ++N) {
    const ReferenceElement reference = ReferenceElement::make(N);
    const ElementQuadrature q = ElementQuadrature::make(reference);
    for (int face = 0; face < 4; ++face) {
      const Eigen::MatrixXd lifted = q.lift.middleCols(face * q.face_points(), q.face_points()) * q.at_face;
      const Eigen::MatrixXd expected = reference.LIFT.middleCols(face * reference.Nfp, reference.Nfp);
      EXPECT_LT((lifted - expected).norm(), 1e-12 * expected.norm()) << N << ", face " << face;
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
