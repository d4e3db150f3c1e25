#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "core/round_up.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// An axis-parallel box that grows with what it has to hold.
struct BoundingBox {
  Point min{inf, inf, inf};
  Point max{-inf, -inf, -inf};

  void add(const Point& p) {
    for (std::size_t d = 0; d < 3; ++d) {
      min[d] = std::min(min[d], p[d]);
      max[d] = std::max(max[d], p[d]);
    }
  }
  void add(const BoundingBox& other) {
    add(other.min);
    add(other.max);
  }
  [[nodiscard]] bool contains(const Point& p, double margin) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (!(p[d] >= min[d] - margin && p[d] <= max[d] + margin)) return false;
    }
    return true;
  }
  [[nodiscard]] double diagonal() const;

 private:
  static constexpr double inf = std::numeric_limits<double>::infinity();
};

[[nodiscard]] BoundingBox bounding_box(const std::vector<Point>& points);
/// Of the points of all these ranks. Collective.
[[nodiscard]] BoundingBox bounding_box_of_all(const std::vector<Point>& points, const core::Communicator& ranks);
/// Of all vertices and of the nodes of curved cells.
[[nodiscard]] BoundingBox extent_of(const Mesh& mesh);

/// Finds the items whose bounding boxes are near a point. Items stand along a space-filling curve already, so a box
/// around every eight in a row, one around every eight of those, and so on, is a good search tree without sorting,
/// however the mesh is graded. 7 bytes an item; O(log n) for a query.
class BoxTree {
 public:
  /// `box_of(i)` is the box of item i.
  template <class BoxOf>
  BoxTree(std::size_t count, const BoxOf& box_of) : count_(count) {
    if (count == 0) return;
    levels_.emplace_back(ceil_divide(count, fan_out));
    for (std::size_t i = 0; i < count; ++i) levels_[0][i / fan_out].add(box_of(i));
    add_levels();
  }

  /// Calls `visit(item)` for every item of a group whose box, widened by `margin`, holds the point.
  template <class Visit>
  void visit_near(const Point& point, double margin, const Visit& visit) const {
    if (!levels_.empty()) descend(levels_.size() - 1, 0, point, margin, visit);
  }

 private:
  static constexpr std::size_t fan_out = 8;

  void add_levels();

  template <class Visit>
  void descend(std::size_t level, std::size_t node, const Point& point, double margin, const Visit& visit) const {
    if (!levels_[level][node].contains(point, margin)) return;
    const std::size_t children = level == 0 ? count_ : levels_[level - 1].size();
    const std::size_t end = std::min(children, (node + 1) * fan_out);
    for (std::size_t child = node * fan_out; child < end; ++child) {
      if (level == 0) {
        visit(child);
      } else {
        descend(level - 1, child, point, margin, visit);
      }
    }
  }

  std::size_t count_;
  std::vector<std::vector<BoundingBox>> levels_;  ///< from groups of items up to one box around everything
};

}  // namespace maxwell_dg::dg
