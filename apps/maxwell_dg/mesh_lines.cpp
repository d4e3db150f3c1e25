#include "apps/maxwell_dg/mesh_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "dg/mesh/point.hpp"

namespace maxwell_dg {
namespace {

/// counts[0] is of those without a name.
std::string list_of(const std::vector<std::size_t>& counts, const std::vector<std::string>& names,
                    const std::string& unnamed) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text +=
        (text.empty() ? "" : ", ") + std::to_string(counts[i]) + " in " + (i == 0 ? unnamed : "'" + names[i - 1] + "'");
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string elements_by_region(const dg::Mesh& mesh) {
  std::vector<std::size_t> counts(mesh.regions.size() + 1, 0);
  for (const std::int32_t region : mesh.cell_region) ++counts[static_cast<std::size_t>(region + 1)];
  return list_of(counts, mesh.regions, "no region");
}

std::string faces_by_surface(const dg::Mesh& mesh) {
  std::vector<std::size_t> counts(mesh.surfaces.size() + 1, 0);
  for (const auto& face : mesh.surface_faces) ++counts[static_cast<std::size_t>(face.surface + 1)];
  return list_of(counts, mesh.surfaces, "");
}

std::array<double, 2> lengths_of_edges(const dg::Mesh& mesh) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (const auto& cell : mesh.cells) {
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double length = dg::distance(mesh.vertices[dg::index(cell[a])], mesh.vertices[dg::index(cell[b])]);
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
      }
    }
  }
  return {shortest, longest};
}

}  // namespace maxwell_dg
