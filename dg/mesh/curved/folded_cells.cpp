#include "dg/mesh/curved/folded_cells.hpp"

#include <array>

#include "dg/mesh/curved/curved_map.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/curved/determinant.hpp"

namespace maxwell_dg::dg {
namespace {

/// 6 times the volume between the vertices, negative for left-handed cells.
double signed_volume(const std::array<Point, 4>& p) {
  return dot(minus(p[1], p[0]), cross(minus(p[2], p[0]), minus(p[3], p[0])));
}

}  // namespace

std::vector<FoldedCell> folded_cells(const Mesh& mesh) {
  if (!mesh.curved.any()) return {};
  const int order = mesh.curved.order;
  const DeterminantCheck check(order);
  std::vector<FoldedCell> folded;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (!mesh.curved.is_curved(k)) continue;
    const auto nodes = mesh.curved.nodes_of(k);
    const auto where = check.find_not_positive(nodes, signed_volume(corners_of(mesh, k)) < 0 ? -1 : 1);
    if (where) folded.push_back({k, CurvedMap(order, std::array<Point, 1>{*where}).positions(nodes).front()});
  }
  return folded;
}

}  // namespace maxwell_dg::dg
