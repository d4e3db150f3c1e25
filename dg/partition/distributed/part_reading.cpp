#include "dg/partition/distributed/part_reading.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/mpi/first_error.hpp"
#include "dg/mesh/checks.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/surface_sides.hpp"
#include "dg/partition/distributed/outside.hpp"

namespace maxwell_dg::dg {

namespace {

/// The named faces whose vertices all are some of these, by numbers in the file.
std::vector<Mesh::SurfaceFace> named_faces(const MeshRows& rows, const NumberSet& vertices,
                                           const core::Communicator& ranks) {
  constexpr std::size_t at_once = std::size_t{1} << 20;
  std::vector<Mesh::SurfaceFace> found;
  core::on_all_ranks<MeshError>(ranks, [&] {
    const std::size_t count = rows.content.surface_faces;
    for (std::size_t first = 0; first < count; first += at_once) {
      for (const Mesh::SurfaceFace& face : rows.surface_faces({first, std::min(at_once, count - first)})) {
        const auto is_vertex = [&](std::int32_t v) { return v >= 0 && index(v) < rows.content.vertices; };
        if (!std::ranges::all_of(face.vertices, is_vertex)) {
          throw MeshError(rows.content.origin +
                          ": elements refer to vertices that the mesh does not have: the file is damaged, write it "
                          "anew");
        }
        const auto is_here = [&](std::int32_t v) { return vertices.place(v) >= 0; };
        if (std::ranges::all_of(face.vertices, is_here)) found.push_back(face);
      }
    }
  });
  return found;
}

class PartReader {
 public:
  PartReader(const MeshRows& rows, const BeforeDividing& known, const core::Communicator& ranks)
      : rows_(rows), known_(known), ranks_(ranks), vertices_(rows, ranks) {}

  PartOfMesh read(const CellCost& cost, std::span<const PeriodicPair> periodic) {
    own_ = own_cells(rows_, cost, known_.as_curved, vertices_, ranks_);
    const VertexRows vertices = vertices_.rows(numbers_of_vertices(own_));
    faces_ = named_faces(rows_, vertices.numbers, ranks_);
    find_edge(vertices);
    classes_ = join_periodic_parts(own_, edge_, periodic, vertices_, rows_.content, ranks_);
    part_at_walls();
    CellsAround around;
    if (!known_.around.empty()) {
      around = cells_around(known_.around, own_, faces_, classes_, vertices_, rows_.content, ranks_);
      around.mesh.walls = known_.walls;
    }
    add_ghosts();
    PartOfMesh part = make();
    part.around = std::move(around);
    return part;
  }

 private:
  using Place = ElementRange::Place;

  /// The faces of own cells that none of these has on its other side, and what has.
  void find_edge(const VertexRows& vertices) {
    AssembledMesh alone;
    Connectivity connectivity;
    core::on_all_ranks<MeshError>(ranks_, [&] {
      alone = assembled(own_, own_.size(), vertices, {}, faces_, rows_.content);
      connectivity = Connectivity::make(alone.mesh, rows_.content.origin);
    });
    straighten(alone);
    std::vector<OpenFace> open;
    for (const Connectivity::BoundaryFace& boundary : connectivity.boundary_faces) {
      const auto k = index(boundary.cell);
      OpenFace face{.key = {}, .vertices = {}, .element = own_.numbers[k], .region = own_.region[k]};
      face.vertices = vertices_of(alone, boundary.cell, boundary.face);
      face.key = face.vertices;
      open.push_back(face);
      edge_.push_back({.cell = k, .surface = boundary.surface, .face = face, .partner = {}});
    }
    const auto partners = partners_of(open, rows_.content.origin, ranks_);
    for (std::size_t i = 0; i < edge_.size(); ++i) edge_[i].partner = partners[i];
    check_outside_of_parts(alone, edge_, rows_.content.origin, ranks_);
  }

  /// As `prepare` does once vertices have their final order. The own cells then have this order of vertices.
  void straighten(AssembledMesh& alone) {
    if (rows_.content.curved_cells == 0) return;
    const std::size_t before = alone.mesh.curved.any() ? alone.mesh.curved.count() : 0;
    find_curved(alone.mesh);
    std::array<double, 1> changed{before == (alone.mesh.curved.any() ? alone.mesh.curved.count() : 0) ? 0.0 : 1.0};
    ranks_.max(changed);
    if (changed[0] > 0) throw NeedsWholeMesh("elements of it are curved by no more than rounding");
    own_.vertices = alone.mesh.cells;
    for (auto& cell : own_.vertices) {
      for (std::int32_t& v : cell) v = alone.file_vertices[index(v)];
    }
    own_.curved = alone.mesh.curved;
  }

  /// Takes the partner away from faces of walls, and keeps the region behind them.
  void part_at_walls() {
    const std::vector<bool>& walls = known_.walls;
    for (EdgeFace& face : edge_) {
      if (!face.partner || face.surface < 0 || walls.empty() || !walls[index(face.surface)]) continue;
      behind_[{face.face.element, face.face.vertices}] = face.partner->face.region;
      face.partner.reset();
    }
  }

  [[nodiscard]] bool is_remote(const EdgeFace& face) const {
    return face.partner && face.partner->rank != ranks_.rank();
  }

  /// Each rank sends the cells that others have beside theirs.
  void add_ghosts() {
    std::vector<std::set<std::int32_t>> sent(static_cast<std::size_t>(ranks_.size()));
    is_at_edge_.resize(own_.size());
    for (const EdgeFace& face : edge_) {
      if (!is_remote(face)) continue;
      sent[index(face.partner->rank)].insert(static_cast<std::int32_t>(face.cell));
      is_at_edge_[face.cell] = true;
    }
    std::vector<std::vector<std::int32_t>> lists;
    for (const auto& cells : sent) lists.emplace_back(cells.begin(), cells.end());
    own_count_ = own_.size();
    for (const CellRows& of_rank : exchange(own_, lists, rows_.content.curved_order, ranks_)) own_.append(of_rank);
  }

  /// [cell of the part] own cells by range, then ghosts by range.
  [[nodiscard]] std::vector<std::int32_t> order(std::vector<ElementRange>& ranges) const {
    using Key = std::tuple<bool, ElementRange::Shape, Place, std::int32_t, std::int32_t>;
    std::vector<Key> keys;
    for (std::size_t k = 0; k < own_.size(); ++k) {
      const bool is_ghost = k >= own_count_;
      const Place place = is_ghost ? Place::ghost : is_at_edge_[k] ? Place::partition_edge : Place::interior;
      const auto shape = own_.curved.is_curved(k) || counts_as_curved(known_.as_curved, own_.region[k])
                             ? ElementRange::Shape::curved
                             : ElementRange::Shape::affine;
      keys.emplace_back(is_ghost, shape, place, own_.numbers[k], static_cast<std::int32_t>(k));
    }
    std::ranges::sort(keys);
    std::vector<std::int32_t> result;
    for (const auto& [is_ghost, shape, place, number, k] : keys) {
      const std::size_t i = result.size();
      if (ranges.empty() || ranges.back().shape != shape || ranges.back().place != place) {
        ranges.push_back({.begin = i, .end = i, .shape = shape, .place = place});
      }
      ranges.back().end = i + 1;
      result.push_back(k);
    }
    return result;
  }

  PartOfMesh make() {
    PartOfMesh part;
    own_ = own_.picked(order(part.ranges));
    const VertexRows vertices = vertices_.rows(with_classes(numbers_of_vertices(own_), classes_));
    AssembledMesh all;
    core::on_all_ranks<MeshError>(ranks_, [&] {
      all = assembled(own_, own_count_, vertices, classes_, faces_, rows_.content);
      all.mesh.walls = known_.walls;
      part.connectivity = Connectivity::make(all.mesh, rows_.content.origin);
      check_curved(all.mesh, rows_.content.origin);
    });
    add_maps(all.mesh);
    tell_what_is_behind(all, part.connectivity);
    close_ghosts(part.connectivity);
    add_links(all, part);
    part.mesh = std::move(all.mesh);
    part.whole_numbers = own_.numbers;
    part.whole_cells = rows_.content.cells;
    part.whole_vertices = rows_.content.vertices;
    return part;
  }

  void add_maps(Mesh& mesh) const {
    if (known_.as_curved.empty()) return;
    std::vector<bool> chosen;
    for (const std::int32_t region : mesh.cell_region) chosen.push_back(counts_as_curved(known_.as_curved, region));
    add_straight_maps(mesh, chosen, rows_.content.curved_cells > 0 ? rows_.content.curved_order : 1);
  }

  /// Of walls between this rank and others.
  void tell_what_is_behind(const AssembledMesh& all, Connectivity& connectivity) const {
    if (behind_.empty()) return;
    for (Connectivity::BoundaryFace& boundary : connectivity.boundary_faces) {
      const auto wall =
          behind_.find({own_.numbers[index(boundary.cell)], vertices_of(all, boundary.cell, boundary.face)});
      if (wall != behind_.end()) boundary.behind = wall->second;
    }
  }

  /// Of a face, ascending, by their numbers in the file.
  [[nodiscard]] static std::array<std::int32_t, 3> vertices_of(const AssembledMesh& all, std::int32_t cell, int face) {
    std::array<std::int32_t, 3> vertices = vertices_of_face(all.mesh, index(cell), index(face));
    for (std::int32_t& v : vertices) v = all.file_vertices[index(v)];
    std::ranges::sort(vertices);
    return vertices;
  }

  /// Faces of ghosts that do not lead to own cells lead back to themselves. Boundary faces of ghosts are the last.
  void close_ghosts(Connectivity& connectivity) const {
    for (std::size_t k = own_count_; k < connectivity.neighbours.size(); ++k) {
      for (std::size_t face = 0; face < 4; ++face) {
        std::int32_t& n = connectivity.neighbours[k].at(face);
        if (n < 0 || index(n / 4) >= own_count_) n = static_cast<std::int32_t>(4 * k + face);
      }
    }
    std::erase_if(connectivity.boundary_faces,
                  [&](const Connectivity::BoundaryFace& face) { return index(face.cell) >= own_count_; });
  }

  void add_links(const AssembledMesh& all, PartOfMesh& part) const {
    std::map<std::int32_t, std::size_t> in_part;  // of cells at the edge and of ghosts
    for (const ElementRange& range : part.ranges) {
      for (std::size_t i = range.begin; range.place != Place::interior && i < range.end; ++i) {
        in_part[own_.numbers[i]] = i;
      }
    }
    const auto side = [&](const OpenFace& face) {
      const std::size_t element = in_part.at(face.element);
      int number = 0;
      while (number < 4 && vertices_of(all, static_cast<std::int32_t>(element), number) != face.vertices) ++number;
      return std::pair(face.element, ElementFace{element, number});
    };
    struct Faces {
      std::set<std::pair<std::int32_t, ElementFace>> sent, received;  // by number in the whole
    };
    std::map<int, Faces> links;
    for (const EdgeFace& face : edge_) {
      if (!is_remote(face)) continue;
      Faces& link = links[face.partner->rank];
      link.sent.insert(side(face.face));
      link.received.insert(side(face.partner->face));
    }
    for (const auto& [rank, faces] : links) {
      Halo::Link& link = part.halo.links.emplace_back(Halo::Link{.rank = rank, .sent = {}, .received = {}});
      for (const auto& [number, face] : faces.sent) link.sent.push_back(face);
      for (const auto& [number, face] : faces.received) link.received.push_back(face);
    }
  }

  const MeshRows& rows_;
  const BeforeDividing& known_;
  const core::Communicator& ranks_;
  VertexSlice vertices_;
  CellRows own_;                          ///< later with ghosts behind them
  std::size_t own_count_{};               ///< of these, own ones
  std::vector<Mesh::SurfaceFace> faces_;  ///< named ones, by numbers in the file
  std::vector<EdgeFace> edge_;
  std::vector<bool> is_at_edge_;  ///< [own cell]
  /// By the element and the vertices of the face of a wall, by their numbers in the whole mesh and in the file.
  std::map<std::pair<std::int32_t, std::array<std::int32_t, 3>>, std::int32_t> behind_;
  VertexClasses classes_;
};

}  // namespace

PartOfMesh read_part(const MeshRows& rows, const CellCost& cost, std::span<const PeriodicPair> periodic,
                     const core::Communicator& ranks, const BeforeDividing& known) {
  if (rows.content.cells < static_cast<std::size_t>(ranks.size())) {
    throw NeedsWholeMesh("it has fewer elements than there are ranks");
  }
  return PartReader(rows, known, ranks).read(cost, periodic);
}

Discretization discretization_of(PartOfMesh part, int order, FieldNumbers numbers) {
  ReferenceElement reference = ReferenceElement::make(order);
  Geometry geometry = Geometry::make(part.mesh);
  std::optional<CurvedGeometry> curved;
  if (part.mesh.curved.any()) curved = CurvedGeometry::make(part.mesh, reference);
  return Discretization(Discretization::Pieces{.mesh = std::move(part.mesh),
                                               .numbers = numbers,
                                               .reference = std::move(reference),
                                               .geometry = std::move(geometry),
                                               .curved = std::move(curved),
                                               .connectivity = std::move(part.connectivity),
                                               .ranges = std::move(part.ranges),
                                               .halo = std::move(part.halo),
                                               .whole_numbers = std::move(part.whole_numbers)});
}

}  // namespace maxwell_dg::dg
