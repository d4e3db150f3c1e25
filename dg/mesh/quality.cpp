#include "dg/mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/quantity.hpp"

namespace maxwell_dg::dg {

std::string where_is(const Mesh& mesh, std::size_t cell, const std::string& unit) {
  const auto [x, y, z] = centroid(mesh, mesh.cells[cell]);
  const std::int32_t region = mesh.cell_region[cell];
  return "element " + std::to_string(cell) + " at (" + core::brief(x) + ", " + core::brief(y) + ", " + core::brief(z) +
         ")" + unit + (region < 0 ? "" : " in region '" + mesh.regions[static_cast<std::size_t>(region)] + "'");
}

double longest_edge(const Mesh& mesh, std::size_t cell) {
  double longest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Point& a = mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][i])];
      const Point& b = mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][j])];
      longest = std::max(longest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  }
  return longest;
}

double quality(const Mesh& mesh, const Geometry& geometry, std::size_t cell) {
  return 2 * std::sqrt(6.0) * inscribed_radius(geometry, cell) / longest_edge(mesh, cell);
}

}  // namespace maxwell_dg::dg
