#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/port.hpp"
#include "dg/mesh/discretization.hpp"

/// The impedance of a square line in a square one, whose potential is singular at the inner edges.
namespace maxwell_dg::dg::maxwell {
namespace {

/// Over the impedance of vacuum, by a conformal map and no mesh. Of an eighth of the cross section, between the inner
/// half side from A to its corner B and the outer one from its corner C to D, the angles are 1/2, 3/4, 1/4 and 1/2 of
/// pi. So the upper half plane is mapped onto it with the corners at 0, m, 1 and infinity by the integral of z^(-1/2)
/// (z - m)^(-1/4) (z - 1)^(-3/4) (Schwarz and Christoffel); m is what gives both sides their ratio. The half plane
/// itself is mapped onto a rectangle with the sides K(k) and K'(k), k^2 = m, between conductors of length K.
class SquareLine {
 public:
  explicit SquareLine(double inner_over_outer) {
    double low = 1e-9, high = 1 - 1e-9;
    for (int i = 0; i < 100; ++i) {
      const double m = (low + high) / 2;
      (inner(m) / outer(m) < inner_over_outer ? low : high) = m;
    }
    const double k = std::sqrt(low), other = std::sqrt(1 - low);
    impedance_ = std::comp_ellint_1(other) / (8 * std::comp_ellint_1(k));
  }
  [[nodiscard]] double impedance() const { return impedance_; }

 private:
  /// The integral over 0 to 1 of a function of x and 1 - x, singular at both ends, by the tanh-sinh rule.
  static double integral(const std::function<double(double x, double rest)>& f) {
    constexpr double step = 1.0 / 64;
    double sum = 0;
    for (int i = -280; i <= 280; ++i) {
      const double t = i * step, u = M_PI / 2 * std::sinh(t);
      const double x = 1 / (1 + std::exp(-2 * u)), rest = 1 / (1 + std::exp(2 * u));
      const double weight = M_PI / 2 * std::cosh(t) / (2 * std::cosh(u) * std::cosh(u));
      if (x > 0 && rest > 0) sum += weight * f(x, rest);
    }
    return sum * step;
  }
  /// From 0 to m: z = m x.
  static double inner(double m) {
    return integral([m](double x, double rest) {
      return std::pow(m, 0.25) * std::pow(x, -0.5) * std::pow(rest, -0.25) * std::pow(1 - m * x, -0.75);
    });
  }
  /// From 1 to infinity: z = 1 / x.
  static double outer(double m) {
    return integral(
        [m](double x, double rest) { return std::pow(x, -0.5) * std::pow(rest, -0.75) * std::pow(1 - m * x, -0.25); });
  }
  double impedance_{};
};

/// By the program, of a quarter of the line with the inner side half of the outer one, so many cells along it.
double impedance_of(int cells, int order) {
  const Mesh box = make_box({.min = {0, 0, 0}, .max = {2, 2, 1}, .cells = {cells, cells, 1}});
  Mesh mesh = box;
  mesh.cells.clear();
  mesh.cell_region.clear();
  for (std::size_t k = 0; k < box.cells.size(); ++k) {
    const Point x = centroid(box, box.cells[k]);
    if (std::max(x[0], x[1]) < 1) continue;
    mesh.cells.push_back(box.cells[k]);
    mesh.cell_region.push_back(box.cell_region[k]);
  }
  const Discretization d(std::move(mesh), order);
  std::vector<ElementFace> end;
  for (const Connectivity::BoundaryFace& face : d.connectivity.boundary_faces) {
    if (face.surface >= 0 && d.mesh.surfaces[index(face.surface)] == "z_min")
      end.push_back({index(face.cell), face.face});
  }
  using Kind = SymmetryPlane::Kind;
  const std::vector<SymmetryPlane> planes{{0, Kind::magnetic}, {1, Kind::magnetic}};
  return *coaxial_mode(d, end, {}, planes).line_impedance;
}

TEST(SquareLine, exact_impedance_is_that_of_limits_and_tables) {
  // Of a narrow gap: plates as wide as the inner sides, and at each corner 0.559 (S. B. Cohn, Proc. IRE 42, 1954).
  const double side = 0.7, gap = 0.15;
  EXPECT_NEAR(1 / SquareLine(side).impedance(), 4 * (side / gap + 0.559), 0.01);
  EXPECT_NEAR(376.73 * SquareLine(0.5).impedance(), 36.81, 0.01);
}

TEST(SquareLine, impedance_converges_with_the_mesh_as_its_edges_let_it) {
  const double exact = SquareLine(0.5).impedance();
  for (const int order : {1, 2, 4}) {
    double before = 0;
    for (const int cells : {4, 8, 16}) {
      const double error = impedance_of(cells, order) / exact - 1;
      RecordProperty("order_" + std::to_string(order) + "_cells_" + std::to_string(cells), std::to_string(1e6 * error));
      // The potential goes as r^(2/3) at an edge, so that its energy converges with h^(4/3) at any order.
      if (before != 0) {
        EXPECT_NEAR(std::log2(std::abs(before / error)), 4.0 / 3, 0.15) << "order " << order;
      }
      before = error;
    }
    EXPECT_LT(std::abs(before), 0.01 / (order * order)) << "order " << order;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
