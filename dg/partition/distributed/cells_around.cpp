#include "dg/partition/distributed/cells_around.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "core/mpi/first_error.hpp"
#include "core/mpi/of_all.hpp"

namespace maxwell_dg::dg {

CellRows gathered(const CellRows& own, const std::vector<std::int32_t>& mine, int curved_order,
                  const core::Communicator& ranks) {
  const std::vector<std::vector<std::int32_t>> to_all(static_cast<std::size_t>(ranks.size()), mine);
  CellRows cells;
  for (const CellRows& of_rank : exchange(own, to_all, curved_order, ranks)) cells.append(of_rank);
  std::vector<std::int32_t> order(cells.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::int32_t k) { return cells.numbers[index(k)]; });
  return cells.picked(order);
}

std::vector<std::int32_t> with_classes(std::vector<std::int32_t> numbers, const VertexClasses& classes) {
  const std::size_t count = numbers.size();
  for (std::size_t i = 0; i < count && !classes.empty(); ++i) {
    const auto found = classes.find(numbers[i]);
    if (found != classes.end()) numbers.push_back(found->second);
  }
  return numbers;
}

CellsAround cells_around(const std::vector<bool>& is_wanted, const CellRows& own,
                         std::span<const Mesh::SurfaceFace> faces, const VertexClasses& classes,
                         const VertexSlice& vertices, const MeshRows::Content& names, const core::Communicator& ranks) {
  const auto standing_for = [&](std::int32_t v) {
    const auto found = classes.find(v);
    return found == classes.end() ? v : found->second;
  };
  std::vector<std::int32_t> on_surfaces;
  for (const Mesh::SurfaceFace& face : faces) {
    if (is_wanted[index(face.surface)]) {
      on_surfaces.insert(on_surfaces.end(), face.vertices.begin(), face.vertices.end());
    }
  }
  on_surfaces = core::all_of(ranks, on_surfaces);
  std::set<std::int32_t> near;
  for (const std::int32_t v : on_surfaces) near.insert(standing_for(v));
  const auto is_near = [&](std::int32_t v) { return near.contains(standing_for(v)); };
  std::vector<std::int32_t> mine;
  for (std::size_t k = 0; k < own.size() && !near.empty(); ++k) {
    if (std::ranges::any_of(own.vertices[k], is_near)) mine.push_back(static_cast<std::int32_t>(k));
  }
  std::vector<Mesh::SurfaceFace> named;
  for (const Mesh::SurfaceFace& face : faces) {
    if (std::ranges::any_of(face.vertices, is_near)) named.push_back(face);
  }
  named = core::all_of(ranks, named);
  CellRows cells = gathered(own, mine, names.curved_order, ranks);
  const VertexRows rows = vertices.rows(with_classes(numbers_of_vertices(cells), classes));
  const BoundingBox box = vertices.bounding_box();
  CellsAround around;
  core::on_all_ranks<MeshError>(
      ranks, [&] { around.mesh = assembled(cells, cells.size(), rows, classes, named, names).mesh; });
  for (const Point& corner : {box.min, box.max}) {
    if (!around.mesh.identity.empty()) {
      around.mesh.identity.push_back(static_cast<std::int32_t>(around.mesh.vertices.size()));
    }
    around.mesh.vertices.push_back(corner);
    for (auto& [name, values] : around.mesh.vertex_values) values.push_back(0);
  }
  around.numbers = std::move(cells.numbers);
  return around;
}

}  // namespace maxwell_dg::dg
