#include "dg/mesh/curved/nearest_on_face.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <Eigen/Dense>

#include "dg/mesh/curved/curved_map.hpp"

namespace maxwell_dg::dg {
namespace {

/// On a face: two of the barycentric coordinates; the first one is what they leave of 1.
using OnFace = std::array<double, 2>;

constexpr std::array<Point, 4> reference_corners{{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

/// The nearest place of the face by its coordinates: none is negative.
OnFace within(OnFace place) {
  for (double& u : place) u = std::max(u, 0.0);
  const double sum = std::max(1.0, place[0] + place[1]);
  return {place[0] / sum, place[1] / sum};
}

class CurvedFace {
 public:
  CurvedFace(const Mesh& mesh, std::size_t cell, std::size_t face)
      : order_(mesh.curved.order), nodes_(mesh.curved.nodes_of(cell)) {
    const auto& [a, b, c] = face_vertices.at(face);
    origin_ = reference_corners.at(a);
    along_ = {minus(reference_corners.at(b), origin_), minus(reference_corners.at(c), origin_)};
  }

  [[nodiscard]] Point at(const OnFace& place) const {
    const Point rst = reference(place);
    return CurvedMap(order_, std::span(&rst, 1)).positions(nodes_).front();
  }
  /// Where the plane that touches the face there comes next to x, as a step from there.
  [[nodiscard]] Eigen::Vector2d step_towards(const OnFace& place, const Point& x) const {
    const Point rst = reference(place);
    const CurvedMap map(order_, std::span(&rst, 1));
    const Eigen::Matrix3d jacobian = map.jacobians(nodes_).front();
    Eigen::Matrix<double, 3, 2> tangents;
    for (std::size_t i = 0; i < 2; ++i) {
      tangents.col(static_cast<Eigen::Index>(i)) = jacobian * Eigen::Map<const Eigen::Vector3d>(along_.at(i).data());
    }
    const Point missing = minus(x, map.positions(nodes_).front());
    return tangents.colPivHouseholderQr().solve(Eigen::Map<const Eigen::Vector3d>(missing.data()));
  }
  [[nodiscard]] OnFace nearest_on_lattice(const Point& x) const {
    const int n = 2 * order_;
    OnFace best{};
    double shortest = distance(at(best), x);
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; i + j <= n; ++j) {
        const OnFace place{double(i) / n, double(j) / n};
        const double away = distance(at(place), x);
        if (away < shortest) best = place;
        shortest = std::min(shortest, away);
      }
    }
    return best;
  }

 private:
  [[nodiscard]] Point reference(const OnFace& place) const {
    Point rst = origin_;
    for (std::size_t d = 0; d < 3; ++d) rst[d] += place[0] * along_[0][d] + place[1] * along_[1][d];
    return rst;
  }

  int order_;
  std::span<const Point> nodes_;
  Point origin_{};
  std::array<Point, 2> along_{};
};

}  // namespace

Point nearest_on_curved_face(const Mesh& mesh, std::size_t cell, std::size_t face, const Point& x) {
  constexpr int most_steps = 30, most_halvings = 10;
  const CurvedFace curved(mesh, cell, face);
  OnFace place = curved.nearest_on_lattice(x);
  Point nearest = curved.at(place);
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::Vector2d move = curved.step_towards(place, x);
    bool is_nearer = false;
    double part = 1;
    for (int halving = 0; halving < most_halvings && !is_nearer; ++halving, part /= 2) {
      const OnFace tried = within({place[0] + part * move[0], place[1] + part * move[1]});
      const Point there = curved.at(tried);
      is_nearer = distance(there, x) < distance(nearest, x);
      if (!is_nearer) continue;
      place = tried;
      nearest = there;
    }
    if (!is_nearer) break;
  }
  return nearest;
}

}  // namespace maxwell_dg::dg
