#include "dg/mesh/box_tree.hpp"

#include <cmath>

namespace maxwell_dg::dg {

double BoundingBox::diagonal() const {
  return std::hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

BoundingBox bounding_box(const std::vector<Point>& points) {
  BoundingBox box;
  for (const Point& p : points) box.add(p);
  return box;
}

BoundingBox bounding_box_of_all(const std::vector<Point>& points, const core::Communicator& ranks) {
  BoundingBox box = bounding_box(points);
  ranks.min(box.min);
  ranks.max(box.max);
  return box;
}

BoundingBox extent_of(const Mesh& mesh) {
  BoundingBox box = bounding_box(mesh.vertices);
  for (const Point& node : mesh.curved.nodes) box.add(node);
  return box;
}

void BoxTree::add_levels() {
  while (levels_.back().size() > 1) {
    const auto& below = levels_.back();
    std::vector<BoundingBox> level(ceil_divide(below.size(), fan_out));
    for (std::size_t i = 0; i < below.size(); ++i) level[i / fan_out].add(below[i]);
    levels_.push_back(std::move(level));
  }
}

}  // namespace maxwell_dg::dg
