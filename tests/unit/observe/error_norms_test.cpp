#include "dg/observe/error_norms.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

const std::vector<std::string> fields{"p", "vx", "vy", "vz"};

/// [element][field][node] of four functions of x.
std::vector<double> nodal(const Discretization& d, const std::function<std::array<double, 4>(const Point&)>& values) {
  std::vector<double> q;
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      for (int i = 0; i < d.Np(); ++i) q.push_back(values(d.node(k, i))[f]);
    }
  }
  return q;
}

TEST(error_norms, equal_hand_computed_integrals) {
  const Discretization d(make_box({.min = {0, 0, 0}, .max = {2, 1, 1}, .cells = {2, 1, 1}}), 2);
  const std::vector<double> q = nodal(d, [](const Point& x) { return std::array{x[0], 3.0, x[1], 4.0}; });
  const std::vector<double> zero(q.size(), 0.0);
  const std::vector<ErrorNorm> norms = error_norms(d, fields, q, zero);
  ASSERT_EQ(norms.size(), 2u);
  EXPECT_EQ(norms[0].name, "p");
  EXPECT_NEAR(norms[0].l2, std::sqrt(8.0 / 3), 1e-14);  // integral of x^2 over [0,2]x[0,1]x[0,1]
  EXPECT_NEAR(norms[0].linf, 2, 1e-15);
  EXPECT_EQ(norms[1].name, "v");
  EXPECT_NEAR(norms[1].l2, std::sqrt(2 * 25 + 2.0 / 3), 1e-13);  // 3^2 + 4^2 everywhere, and y^2
  EXPECT_NEAR(norms[1].linf, std::sqrt(26.0), 1e-14);            // at y = 1
}

TEST(error_norms, of_curved_elements_are_integrals_with_their_maps) {
  // dV = (1 + 0.4 y) dx dy dz; x of the points is that of the straight mesh.
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {2, 1, 1}, .cells = {2, 1, 1}});
  curve(mesh, 2, [](const Point& p) { return Point{p[0], p[1] + 0.2 * p[1] * p[1], p[2]}; });
  const Discretization d(std::move(mesh), 2);
  ASSERT_EQ(d.mesh.curved.count(), d.K());
  const std::vector<double> q = nodal(d, [](const Point& x) { return std::array{x[0], 3.0, 0.0, 4.0}; });
  const std::vector<ErrorNorm> norms = error_norms(d, fields, q, std::vector<double>(q.size(), 0.0));
  EXPECT_NEAR(norms[0].l2, std::sqrt(1.2 * 8.0 / 3), 1e-13);
  EXPECT_NEAR(norms[0].linf, 2, 1e-15);
  EXPECT_NEAR(norms[1].l2, std::sqrt(1.2 * 2 * 25), 1e-13);
}

TEST(error_norms, of_a_field_with_itself_are_zero) {
  const Discretization d(make_box({.cells = {1, 1, 1}}), 3);
  const std::vector<double> q = nodal(d, [](const Point& x) { return std::array{x[0] * x[1], x[2], 1.0, -x[0]}; });
  for (const ErrorNorm& norm : error_norms(d, fields, q, q)) {
    EXPECT_EQ(norm.l2, 0);
    EXPECT_EQ(norm.linf, 0);
  }
}

TEST(error_norms, not_a_number_anywhere_is_not_a_number) {
  const Discretization d(make_box({.cells = {1, 1, 1}}), 1);
  std::vector<double> q(d.K() * 4 * 4, 1.0);
  const std::vector<double> zero(q.size(), 0.0);
  q[1] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<ErrorNorm> norms = error_norms(d, fields, q, zero);
  EXPECT_TRUE(std::isnan(norms[0].l2));
  EXPECT_TRUE(std::isnan(norms[0].linf));
  EXPECT_FALSE(std::isnan(norms[1].linf));
}

}  // namespace
}  // namespace maxwell_dg::dg
