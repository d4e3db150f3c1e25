#include <algorithm>
#include <cmath>

#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/geometry.hpp"

namespace maxwell_dg::dg {

struct PointLocator::Search {
  explicit Search(const Mesh& mesh)
      : tree(mesh.cells.size(),
             [&](std::size_t k) {
               BoundingBox box;
               for (const auto v : mesh.cells[k]) box.add(mesh.vertices[v]);
               return box;
             }),
        margin(relative_tolerance * bounding_box(mesh.vertices).diagonal()) {}

  // In barycentric coordinates, and against the mesh's size: well above rounding, well below a cell.
  static constexpr double relative_tolerance = 1e-9;
  BoxTree tree;
  double margin;
};

PointLocator::PointLocator(const Mesh& mesh, const Geometry& geometry)
    : mesh_(mesh), geometry_(geometry), search_(std::make_unique<const Search>(mesh)) {}
PointLocator::~PointLocator() = default;
PointLocator::PointLocator(PointLocator&&) noexcept = default;

std::optional<PointLocation> PointLocator::locate(const Point& point) const {
  PointLocation best;
  double best_inside = -Search::relative_tolerance;  // the smallest barycentric coordinate
  bool found = false;
  search_->tree.visit_near(point, search_->margin, [&](std::size_t k) {
    if (found && best_inside >= 0) return;
    const Point rst = reference_coordinates(mesh_, geometry_, k, point);
    const double inside = 0.5 * std::min({1 + rst[0], 1 + rst[1], 1 + rst[2], -1 - rst[0] - rst[1] - rst[2]});
    if (inside >= best_inside) {
      best = {k, rst};
      best_inside = inside;
      found = true;
    }
  });
  return found ? std::optional(best) : std::nullopt;
}

}  // namespace maxwell_dg::dg
