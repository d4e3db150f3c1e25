#include "dg/mesh/curved/curved_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace maxwell_dg::dg {
namespace {

/// prod_{m < n} (x - m) / (m + 1) and its derivative by x, for n = 0 ... order: 1 at x = n, 0 at 0 ... n - 1.
struct Products {
  std::array<double, CurvedCells::highest_order + 1> value{1}, derivative{0};
  Products(int order, double x) {
    for (int n = 0; n < order; ++n) {
      const auto at = static_cast<std::size_t>(n);
      value[at + 1] = value[at] * (x - n) / (n + 1);
      derivative[at + 1] = (derivative[at] * (x - n) + value[at]) / (n + 1);
    }
  }
};

using Coordinates = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

Eigen::Map<const Coordinates> coordinates(std::span<const Point> points) {
  return {points.data()->data(), static_cast<Eigen::Index>(points.size()), 3};
}

}  // namespace

CurvedMap::CurvedMap(int order, std::span<const Point> points) {
  if (order < 1 || order > CurvedCells::highest_order) {
    throw std::invalid_argument("CurvedMap: order " + std::to_string(order) + " is not in 1 to 9");
  }
  const auto nodes = geometry_nodes(order);
  for (Matrix* matrix : {&value_, &by_r_, &by_s_, &by_t_}) {
    matrix->resize(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(nodes.size()));
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto& [r, s, t] = points[p];
    const double half = 0.5 * order;  // barycentric coordinates times the order; half of that a unit of r, s, t
    const std::array<Products, 4> factor{Products(order, -half * (1 + r + s + t)), Products(order, half * (1 + r)),
                                         Products(order, half * (1 + s)), Products(order, half * (1 + t))};
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      std::array<double, 4> value{}, slope{};
      for (std::size_t a = 0; a < 4; ++a) {
        value[a] = factor[a].value[static_cast<std::size_t>(nodes[n][a])];
        slope[a] = factor[a].derivative[static_cast<std::size_t>(nodes[n][a])];
      }
      const auto row = static_cast<Eigen::Index>(p), column = static_cast<Eigen::Index>(n);
      const double by_first = slope[0] * value[1] * value[2] * value[3];
      value_(row, column) = value[0] * value[1] * value[2] * value[3];
      by_r_(row, column) = half * (value[0] * slope[1] * value[2] * value[3] - by_first);
      by_s_(row, column) = half * (value[0] * value[1] * slope[2] * value[3] - by_first);
      by_t_(row, column) = half * (value[0] * value[1] * value[2] * slope[3] - by_first);
    }
  }
}

std::vector<Point> CurvedMap::positions(std::span<const Point> nodes) const {
  const Coordinates x = value_ * coordinates(nodes);
  std::vector<Point> result(static_cast<std::size_t>(x.rows()));
  for (Eigen::Index p = 0; p < x.rows(); ++p) result[static_cast<std::size_t>(p)] = {x(p, 0), x(p, 1), x(p, 2)};
  return result;
}

std::vector<Eigen::Matrix3d> CurvedMap::jacobians(std::span<const Point> nodes) const {
  const Coordinates r = by_r_ * coordinates(nodes), s = by_s_ * coordinates(nodes), t = by_t_ * coordinates(nodes);
  std::vector<Eigen::Matrix3d> result(static_cast<std::size_t>(r.rows()));
  for (Eigen::Index p = 0; p < r.rows(); ++p) {
    Eigen::Matrix3d& jacobian = result[static_cast<std::size_t>(p)];
    jacobian.col(0) = r.row(p);
    jacobian.col(1) = s.row(p);
    jacobian.col(2) = t.row(p);
  }
  return result;
}

std::optional<Point> inverse_of_map(int order, std::span<const Point> nodes, const Point& x, const Point& start) {
  constexpr int most_steps = 30;
  constexpr double longest_step = 0.5, enough = 1e-12, far_outside = 4;  // in reference coordinates
  Point rst = start;
  for (int step = 0; step < most_steps; ++step) {
    const CurvedMap map(order, std::span(&rst, 1));
    const Point missing = minus(x, map.positions(nodes).front());
    Eigen::Vector3d move =
        map.jacobians(nodes).front().partialPivLu().solve(Eigen::Vector3d(missing[0], missing[1], missing[2]));
    const double length = move.norm();
    if (!(length < 1 / enough)) return std::nullopt;  // nor where the Jacobian is singular
    if (length > longest_step) move *= longest_step / length;
    for (std::size_t d = 0; d < 3; ++d) rst[d] += move[static_cast<Eigen::Index>(d)];
    if (std::max({std::abs(rst[0]), std::abs(rst[1]), std::abs(rst[2])}) > far_outside) return std::nullopt;
    if (length < enough) return rst;
  }
  return std::nullopt;
}

}  // namespace maxwell_dg::dg
