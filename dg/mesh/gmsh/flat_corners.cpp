#include "dg/mesh/gmsh/flat_corners.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace maxwell_dg::dg {
namespace {

using Cell = std::array<int, 4>;
using Edge = std::array<int, 2>;

Edge edge_of(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

/// Volume against that of a regular tetrahedron with the longest edge.
double quality(const std::vector<Point>& points, const Cell& cell) {
  std::array<Point, 4> p;
  for (std::size_t a = 0; a < 4; ++a) p[a] = points[static_cast<std::size_t>(cell[a])];
  double longest = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < a; ++b) longest = std::max(longest, distance(p[a], p[b]));
  }
  const double volume6 = dot(minus(p[1], p[0]), cross(minus(p[2], p[0]), minus(p[3], p[0])));
  return std::sqrt(2.0) * volume6 / (longest * longest * longest);
}

Point between(const Point& a, const Point& b, double part) {
  Point x{};
  for (std::size_t d = 0; d < 3; ++d) x[d] = (1 - part) * a[d] + part * b[d];
  return x;
}

Cell with(Cell cell, int old, int now) {
  std::ranges::replace(cell, old, now);
  return cell;
}

class Cutter {
 public:
  Cutter(Tetrahedra& mesh, const SurfaceEdges& surfaces, const AreTangent& are_tangent)
      : mesh_(mesh), surfaces_(surfaces), are_tangent_(are_tangent) {}

  std::size_t cut() {
    const std::size_t found = flat_cells().size();
    constexpr int most_passes = 20;  // neighbours wait for the next one
    for (int pass = 0; pass < most_passes; ++pass) {
      const auto flat = flat_cells();
      if (flat.empty()) break;
      cut_all(flat);
    }
    return found;
  }

 private:
  [[nodiscard]] const std::vector<int>* surfaces_of(int a, int b) const {
    const auto found = surfaces_.find(edge_of(a, b));
    return found == surfaces_.end() ? nullptr : &found->second;
  }

  /// Whether the edges from a corner all lie in one smooth surface, or in several that touch there.
  [[nodiscard]] bool is_flat(const Cell& cell, std::size_t corner) const {
    std::array<const std::vector<int>*, 3> on{};
    for (std::size_t e = 0; e < 3; ++e) {
      on[e] = surfaces_of(cell[corner], cell[(corner + 1 + e) % 4]);
      if (on[e] == nullptr) return false;
    }
    const auto touch = [&](int s, int t) { return s == t || are_tangent_(cell[corner], s, t); };
    return std::ranges::any_of(*on[0], [&](int s) {
      return std::ranges::any_of(*on[1], [&](int t) { return touch(s, t); }) &&
             std::ranges::any_of(*on[2], [&](int t) { return touch(s, t); });
    });
  }

  [[nodiscard]] std::vector<int> flat_corners(const Cell& cell) const {
    std::vector<int> corners;
    for (std::size_t a = 0; a < 4; ++a) {
      if (is_flat(cell, a)) corners.push_back(cell[a]);
    }
    return corners;
  }

  [[nodiscard]] std::vector<std::size_t> flat_cells() const {
    std::vector<std::size_t> flat;
    for (std::size_t k = 0; k < mesh_.cells.size(); ++k) {
      if (!flat_corners(mesh_.cells[k]).empty()) flat.push_back(k);
    }
    return flat;
  }

  /// The edge within the volume that is opposite to the most flat corners, the longest of these.
  [[nodiscard]] std::optional<Edge> edge_to_halve(const Cell& cell) const {
    const auto corners = flat_corners(cell);
    std::optional<Edge> best;
    std::pair<std::size_t, double> most{0, 0};
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (surfaces_of(cell[a], cell[b]) != nullptr) continue;
        const auto opposite = static_cast<std::size_t>(
            std::ranges::count_if(corners, [&](int corner) { return corner != cell[a] && corner != cell[b]; }));
        const double length =
            distance(mesh_.points[static_cast<std::size_t>(cell[a])], mesh_.points[static_cast<std::size_t>(cell[b])]);
        if (opposite == 0 || std::pair{opposite, length} <= most) continue;
        most = {opposite, length};
        best = edge_of(cell[a], cell[b]);
      }
    }
    return best;
  }

  /// Each of these cells, but for those with a neighbour that was changed at the same time.
  void cut_all(const std::vector<std::size_t>& flat) {
    std::map<Edge, std::vector<std::size_t>> around;  // edges to be halved, with their cells
    for (const std::size_t k : flat) {
      if (const auto edge = edge_to_halve(mesh_.cells[k])) around[*edge];
    }
    const std::size_t before = mesh_.cells.size();
    for (std::size_t k = 0; k < before; ++k) {
      for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const auto found = around.find(edge_of(mesh_.cells[k][a], mesh_.cells[k][b]));
          if (found != around.end()) found->second.push_back(k);
        }
      }
    }
    std::set<std::size_t> changed;
    const auto is_changed = [&](std::size_t k) { return changed.contains(k); };
    for (const std::size_t k : flat) {
      if (is_changed(k)) continue;
      const auto edge = edge_to_halve(mesh_.cells[k]);
      if (!edge) {
        cut_into_four(k);
        changed.insert(k);
      } else if (std::ranges::none_of(around[*edge], is_changed)) {
        halve(*edge, around[*edge]);
        changed.insert(around[*edge].begin(), around[*edge].end());
      }
    }
  }

  int add_point(const Point& at) {
    mesh_.points.push_back(at);
    return static_cast<int>(mesh_.points.size()) - 1;
  }

  /// The new point lies between the edge's middle and its neighbours' centre, where the worst half is best: the flat
  /// cell becomes deeper.
  void halve(const Edge& edge, const std::vector<std::size_t>& cells) {
    const Point middle =
        between(mesh_.points[static_cast<std::size_t>(edge[0])], mesh_.points[static_cast<std::size_t>(edge[1])], 0.5);
    Point centre{};
    for (const std::size_t k : cells) {
      for (const int v : mesh_.cells[k]) {
        if (v == edge[0] || v == edge[1]) continue;  // each other neighbour is one of two cells
        const double part = 0.5 / static_cast<double>(cells.size());
        for (std::size_t d = 0; d < 3; ++d) centre[d] += part * mesh_.points[static_cast<std::size_t>(v)][d];
      }
    }
    const int point = add_point(middle);
    double best = worst_half(edge, cells, point);
    Point best_place = middle;
    for (const double part : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}) {
      mesh_.points.back() = between(middle, centre, part);
      const double worst = worst_half(edge, cells, point);
      if (worst <= best) continue;
      best = worst;
      best_place = mesh_.points.back();
    }
    mesh_.points.back() = best_place;
    for (const std::size_t k : cells) {
      const Cell cell = mesh_.cells[k];
      mesh_.cells[k] = with(cell, edge[0], point);
      add_cell(with(cell, edge[1], point), mesh_.volume[k]);
    }
  }

  [[nodiscard]] double worst_half(const Edge& edge, const std::vector<std::size_t>& cells, int point) const {
    double worst = 1;
    for (const std::size_t k : cells) {
      for (const int end : edge) worst = std::min(worst, quality(mesh_.points, with(mesh_.cells[k], end, point)));
    }
    return worst;
  }

  void cut_into_four(std::size_t k) {
    const Cell cell = mesh_.cells[k];
    Point centre{};
    for (const int v : cell) {
      for (std::size_t d = 0; d < 3; ++d) centre[d] += mesh_.points[static_cast<std::size_t>(v)][d] / 4;
    }
    const int point = add_point(centre);
    mesh_.cells[k] = with(cell, cell[0], point);
    for (std::size_t a = 1; a < 4; ++a) add_cell(with(cell, cell[a], point), mesh_.volume[k]);
  }

  void add_cell(const Cell& cell, int volume) {
    mesh_.cells.push_back(cell);
    mesh_.volume.push_back(volume);
  }

  Tetrahedra& mesh_;
  const SurfaceEdges& surfaces_;
  const AreTangent& are_tangent_;
};

}  // namespace

std::size_t cut_flat_corners(Tetrahedra& mesh, const SurfaceEdges& surfaces, const AreTangent& are_tangent) {
  return Cutter(mesh, surfaces, are_tangent).cut();
}

}  // namespace maxwell_dg::dg
