#include "dg/partition/distributed/cell_slice.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/mpi/first_error.hpp"
#include "dg/mesh/checks.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/space_filling_curve.hpp"
#include "dg/partition/distributed/curve_order.hpp"

namespace maxwell_dg::dg {

namespace {

/// A slice as a mesh of its own: the vertices of its cells, ascending by number.
struct Slice {
  Mesh mesh;
  NumberSet vertices;  ///< [vertex of the mesh] in the file
};

std::string damaged(const MeshRows& rows, const std::string& what) {
  return rows.content.origin + ": " + what + ": the file is damaged, write it anew";
}

/// Those of the cells of this rank's slice. Each rank has read a slice of the list of curved cells.
CurvedCells curved_of_slice(const MeshRows& rows, const Slices& cells, const core::Communicator& ranks) {
  const MeshRows::Content& all = rows.content;
  if (all.curved_cells == 0) return {};
  CurvedCells listed{.order = all.curved_order, .number = {}, .nodes = {}};
  const std::size_t nodes_a_cell = listed.nodes_a_cell();
  std::vector<std::vector<std::int32_t>> numbers(static_cast<std::size_t>(ranks.size()));
  std::vector<std::vector<Point>> nodes(numbers.size());
  core::on_all_ranks<MeshError>(ranks, [&] {
    const MeshRows::Piece piece = Slices(all.curved_cells, ranks.size()).of(ranks.rank());
    const std::vector<std::int32_t> read = rows.curved_cells(piece);
    const std::vector<Point> nodes_read = rows.curved_nodes(piece);
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (read[i] < 0 || index(read[i]) >= all.cells) {
        throw MeshError(damaged(rows, "curved_cells has tetrahedra that there are not"));
      }
      const std::size_t owner = cells.owner(index(read[i]));
      const auto first = nodes_read.begin() + static_cast<std::ptrdiff_t>(i * nodes_a_cell);
      numbers[owner].push_back(read[i]);
      nodes[owner].insert(nodes[owner].end(), first, first + static_cast<std::ptrdiff_t>(nodes_a_cell));
    }
  });
  const MeshRows::Piece mine = cells.of(ranks.rank());
  std::vector<std::int32_t> place(mine.count, -1);
  const auto received = core::exchange(ranks, numbers);
  for (const auto& of_rank : core::exchange(ranks, nodes)) {
    listed.nodes.insert(listed.nodes.end(), of_rank.begin(), of_rank.end());
  }
  core::on_all_ranks<MeshError>(ranks, [&] {
    for (const auto& of_rank : received) {
      for (const std::int32_t cell : of_rank) {
        std::int32_t& at = place[index(cell) - mine.first];
        if (at >= 0) throw MeshError(damaged(rows, "curved_cells has a tetrahedron twice"));
        at = static_cast<std::int32_t>(listed.number.size());
        listed.number.push_back(at);
      }
    }
  });
  if (listed.number.empty()) return {};
  listed.reorder(place);
  return listed;
}

Slice read_slice(const MeshRows& rows, const Slices& cells, const VertexSlice& vertices,
                 const core::Communicator& ranks) {
  const MeshRows::Piece mine = cells.of(ranks.rank());
  Slice slice;
  Mesh& mesh = slice.mesh;
  core::on_all_ranks<MeshError>(ranks, [&] {
    mesh.cells = rows.cells(mine);
    mesh.cell_region = rows.cell_region(mine);
    for (const std::string& name : rows.content.cell_values) mesh.cell_values[name] = rows.cell_values(name, mine);
    const auto is_vertex = [&](std::int32_t v) { return v >= 0 && index(v) < rows.content.vertices; };
    const auto is_in_range = [&](const auto& cell) { return std::ranges::all_of(cell, is_vertex); };
    if (!std::ranges::all_of(mesh.cells, is_in_range)) {
      throw MeshError(damaged(rows, "elements refer to vertices that the mesh does not have"));
    }
  });
  std::vector<std::int32_t> all;
  all.reserve(4 * mesh.cells.size());
  for (const auto& cell : mesh.cells) all.insert(all.end(), cell.begin(), cell.end());
  slice.vertices = NumberSet(all);
  mesh.vertices = vertices.positions(slice.vertices.numbers());
  for (auto& cell : mesh.cells) {
    for (std::int32_t& v : cell) v = slice.vertices.place(v);
  }
  mesh.curved = curved_of_slice(rows, cells, ranks);
  core::on_all_ranks<MeshError>(ranks, [&] {
    const std::string origin = rows.content.origin + ", tetrahedra " + std::to_string(mine.first) + " to " +
                               std::to_string(mine.first + mine.count - 1);
    check_cells(mesh, origin, Orientation::any);
    check_curved_corners(mesh, origin);
  });
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) sort_vertices(mesh, k, std::less<>());
  find_curved(mesh);
  return slice;
}

/// [cell of the slice] its place in the whole, and its rank. `as_curved`: BeforeDividing's.
std::vector<OrderedCell> order_of(const Slice& slice, const std::vector<std::uint64_t>& places, const CellCost& cost,
                                  const std::vector<bool>& as_curved, const Slices& cells,
                                  const core::Communicator& ranks) {
  const Mesh& mesh = slice.mesh;
  const auto first = static_cast<std::int32_t>(cells.begin(ranks.rank()));
  std::vector<CellOnCurve> on_curve;
  on_curve.reserve(places.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    const bool is_curved = mesh.curved.is_curved(k) || counts_as_curved(as_curved, mesh.cell_region[k]);
    on_curve.push_back({places[k], first + static_cast<std::int32_t>(k), is_curved ? 1 : 0,
                        cost(mesh.cell_region[k], is_curved, centroid(mesh, mesh.cells[k]))});
  }
  return order_along_curve(std::move(on_curve), cells, ranks);
}

/// [vertex of the slice] of the cells of the slice that have it, in their order and in the one before.
std::vector<FirstCell> first_cells(const Slice& slice, const std::vector<OrderedCell>& order,
                                   const std::vector<OrderedCell>& before) {
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::vector<FirstCell> first(slice.mesh.vertices.size(), {none, none});
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (const std::int32_t v : slice.mesh.cells[k]) {
      FirstCell& of_vertex = first[index(v)];
      of_vertex.number = std::min(of_vertex.number, order[k].number);
      of_vertex.before = std::min(of_vertex.before, before[k].number);
    }
  }
  return first;
}

CellRows rows_of(Slice slice, const std::vector<OrderedCell>& order) {
  CellRows rows{.numbers = {},
                .vertices = std::move(slice.mesh.cells),
                .region = std::move(slice.mesh.cell_region),
                .curved = std::move(slice.mesh.curved),
                .values = std::move(slice.mesh.cell_values)};
  for (const OrderedCell& cell : order) rows.numbers.push_back(cell.number);
  for (auto& cell : rows.vertices) {
    for (std::int32_t& v : cell) v = slice.vertices.numbers()[index(v)];
  }
  return rows;
}

}  // namespace

CellRows own_cells(const MeshRows& rows, const CellCost& cost, const std::vector<bool>& as_curved,
                   VertexSlice& vertices, const core::Communicator& ranks) {
  const Slices cells(rows.content.cells, ranks.size());
  Slice slice = read_slice(rows, cells, vertices, ranks);
  std::vector<OrderedCell> order, before;
  {
    const std::vector<std::uint64_t> places = places_on_curve(slice.mesh, vertices.bounding_box());
    order = order_of(slice, places, cost, as_curved, cells, ranks);
    if (!as_curved.empty()) before = order_of(slice, places, cost, {}, cells, ranks);
  }
  const std::vector<FirstCell> first = first_cells(slice, order, as_curved.empty() ? order : before);
  if (vertices.set_first_cells(slice.vertices.numbers(), first) > 0) {
    throw NeedsWholeMesh("it has vertices that no tetrahedron has");
  }
  std::vector<std::vector<std::int32_t>> lists(static_cast<std::size_t>(ranks.size()));
  for (std::size_t k = 0; k < order.size(); ++k) lists[index(order[k].rank)].push_back(static_cast<std::int32_t>(k));
  CellRows own;
  for (const CellRows& of_rank : exchange(rows_of(std::move(slice), order), lists, rows.content.curved_order, ranks)) {
    own.append(of_rank);
  }
  std::array<double, 1> fewest{static_cast<double>(own.size())};
  ranks.min(fewest);
  if (fewest[0] < 1) throw NeedsWholeMesh("a rank would get no element of it");
  std::vector<std::int32_t> ascending(own.size());
  std::iota(ascending.begin(), ascending.end(), 0);
  std::ranges::sort(ascending, {}, [&](std::int32_t k) { return own.numbers[index(k)]; });
  return own.picked(ascending);
}

}  // namespace maxwell_dg::dg
