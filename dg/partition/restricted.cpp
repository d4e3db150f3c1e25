#include "dg/partition/restricted.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dg/mesh/surface_sides.hpp"

namespace maxwell_dg::dg {

namespace {

/// The rows of a list of rows of one length, chosen by their numbers.
template <class T, class Number>
std::vector<T> rows(const std::vector<T>& list, std::size_t row, const std::vector<Number>& chosen) {
  std::vector<T> result;
  result.reserve(row * chosen.size());
  for (const Number number : chosen) {
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(number) * row);
    result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(row));
  }
  return result;
}

/// The same of several lists, each with `count` rows.
template <class Number>
std::vector<std::vector<double>> rows_of_each(const std::vector<std::vector<double>>& lists, std::size_t count,
                                              const std::vector<Number>& chosen) {
  std::vector<std::vector<double>> result;
  for (const auto& list : lists) result.push_back(rows(list, count == 0 ? 0 : list.size() / count, chosen));
  return result;
}

/// The vertices of a part, ascending; and all that a mesh has at them.
class PartOfVertices {
 public:
  PartOfVertices(const Mesh& whole, const MeshPart& part) : number_(whole.vertices.size(), -1) {
    std::vector<bool> is_used(whole.vertices.size());
    for (const std::int32_t k : part.elements) {
      for (const std::int32_t v : whole.cells[index(k)]) {
        is_used[index(v)] = true;
        if (!whole.identity.empty()) is_used[index(whole.identity[index(v)])] = true;
      }
    }
    for (std::size_t v = 0; v < is_used.size(); ++v) {
      if (!is_used[v]) continue;
      number_[v] = static_cast<std::int32_t>(used_.size());
      used_.push_back(static_cast<std::int32_t>(v));
    }
  }

  template <std::size_t n>
  [[nodiscard]] std::array<std::int32_t, n> renumbered(std::array<std::int32_t, n> vertices) const {
    for (std::int32_t& v : vertices) v = number_[index(v)];
    return vertices;
  }

  void add_to(Mesh& mesh, const Mesh& whole) const {
    mesh.vertices = rows(whole.vertices, 1, used_);
    for (const auto& [name, values] : whole.vertex_values) mesh.vertex_values[name] = rows(values, 1, used_);
    if (whole.identity.empty()) return;
    for (const std::int32_t v : used_) mesh.identity.push_back(number_[index(whole.identity[index(v)])]);
  }

 private:
  std::vector<std::int32_t> number_;  ///< [vertex of the whole] in the part, -1: not there
  std::vector<std::int32_t> used_;    ///< [vertex of the part] in the whole
};

/// Which of the mesh's named faces are faces of own elements, ascending.
std::vector<std::size_t> named_faces_of(const Mesh& whole, const MeshPart& part) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < part.own && !whole.surface_faces.empty(); ++i) {
    const auto& cell = whole.cells[index(part.elements[i])];
    for (const auto& [a, b, c] : face_vertices) {
      const auto face = find_named_face(whole.surface_faces, {cell.at(a), cell.at(b), cell.at(c)});
      if (face) found.push_back(*face);
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Mesh restricted(const Mesh& whole, const MeshPart& part) {
  Mesh mesh{.cell_region = rows(whole.cell_region, 1, part.elements),
            .regions = whole.regions,
            .surfaces = whole.surfaces,
            .curved = whole.curved};
  const PartOfVertices vertices(whole, part);
  vertices.add_to(mesh, whole);
  for (const std::int32_t k : part.elements) mesh.cells.push_back(vertices.renumbered(whole.cells[index(k)]));
  for (const std::size_t face : named_faces_of(whole, part)) {
    const auto& [corners, surface] = whole.surface_faces[face];
    mesh.surface_faces.push_back({vertices.renumbered(corners), surface});
  }
  for (const auto& [name, values] : whole.cell_values) mesh.cell_values[name] = rows(values, 1, part.elements);
  mesh.curved.reorder(part.elements);
  return mesh;
}

Geometry restricted(const Geometry& whole, const MeshPart& part) {
  return {.metric = rows(whole.metric, 1, part.elements),
          .J = rows(whole.J, 1, part.elements),
          .faces = rows(whole.faces, 1, part.elements)};
}

/// Of the curved elements of a part; none where it has none.
std::optional<CurvedGeometry> restricted_curved(const Discretization& whole, const MeshPart& part) {
  std::vector<std::int32_t> numbers;
  for (const std::int32_t k : part.elements) {
    if (whole.mesh.curved.is_curved(index(k))) numbers.push_back(whole.mesh.curved.number[index(k)]);
  }
  if (numbers.empty()) return std::nullopt;
  const CurvedGeometry& all = whole.curved.value();
  const std::size_t count = whole.mesh.curved.count();
  const auto of_part = [&](const auto& list) { return rows(list, list.size() / count, numbers); };
  return CurvedGeometry{.quadrature = all.quadrature,
                        .node_positions = of_part(all.node_positions),
                        .at_nodes = of_part(all.at_nodes),
                        .at_volume_points = of_part(all.at_volume_points),
                        .volume_positions = of_part(all.volume_positions),
                        .at_face_points = of_part(all.at_face_points)};
}

/// Calls back for each boundary face of own elements, in the order in which the part has them, with its number in the
/// whole.
template <class Take>
void for_each_boundary_face(const Discretization& whole, const MeshPart& part, const Take& take) {
  for (std::size_t i = 0; i < part.own; ++i) {
    for (const std::int32_t n : whole.connectivity.neighbours[index(part.elements[i])]) {
      if (n < 0) take(i, index(-1 - n));
    }
  }
}

Connectivity restricted_connectivity(const Discretization& whole, const MeshPart& part) {
  const std::vector<std::int32_t> in_part = numbers_in_part(part, whole.K());
  Connectivity result;
  for_each_boundary_face(whole, part, [&](std::size_t i, std::size_t b) {
    Connectivity::BoundaryFace face = whole.connectivity.boundary_faces[b];
    face.cell = static_cast<std::int32_t>(i);
    result.boundary_faces.push_back(face);
  });
  std::int32_t boundary_face = 0;
  for (std::size_t i = 0; i < part.elements.size(); ++i) {
    auto& neighbours = result.neighbours.emplace_back(whole.connectivity.neighbours[index(part.elements[i])]);
    for (std::size_t face = 0; face < neighbours.size(); ++face) {
      std::int32_t& n = neighbours.at(face);
      if (n < 0 && i < part.own) {
        n = -1 - boundary_face++;
      } else if (n >= 0 && in_part[index(n / 4)] >= 0 && std::min(i, index(in_part[index(n / 4)])) < part.own) {
        n = 4 * in_part[index(n / 4)] + n % 4;
      } else {
        n = static_cast<std::int32_t>(4 * i + face);
      }
    }
  }
  return result;
}

/// What a term has in own elements: their numbers in the part, ascending, and where the term lists them.
template <class Entry>
struct Kept {
  std::vector<Entry> entries;
  std::vector<std::size_t> from;  ///< [entry] index into the term's list
};

/// `in_part` gives an entry its number in the part, or nothing if it is in no own element.
template <class Entry, class InPart>
Kept<Entry> kept_of(const std::vector<Entry>& entries, const InPart& in_part) {
  std::vector<std::pair<Entry, std::size_t>> found;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (const std::optional<Entry> entry = in_part(entries[i])) found.emplace_back(*entry, i);
  }
  std::ranges::sort(found);
  Kept<Entry> kept;
  for (const auto& [entry, from] : found) {
    kept.entries.push_back(entry);
    kept.from.push_back(from);
  }
  return kept;
}

VaryingParameters restricted(const VaryingParameters& whole, std::span<const std::int32_t> in_part) {
  const auto kept = kept_of(whole.elements, [&](std::int32_t k) {
    return in_part[index(k)] >= 0 ? std::optional(in_part[index(k)]) : std::nullopt;
  });
  return {.elements = kept.entries,
          .points = whole.points,
          .values = rows_of_each(whole.values, whole.elements.size(), kept.from)};
}

}  // namespace

Discretization restricted(const Discretization& whole, const MeshPart& part) {
  return Discretization(
      Discretization::Pieces{.mesh = restricted(whole.mesh, part),
                             .numbers = whole.complex_view.is_complex() ? FieldNumbers::complex : FieldNumbers::real,
                             .reference = whole.reference,
                             .geometry = restricted(whole.geometry, part),
                             .curved = restricted_curved(whole, part),
                             .connectivity = restricted_connectivity(whole, part),
                             .ranges = part.ranges,
                             .halo = part.halo,
                             .whole_numbers = part.elements});
}

namespace {

/// Gives a problem the terms of another one, as far as they are in own elements. `own`: the number that an element has
/// there, none where it is no own one.
template <class Own>
void add_terms(const Problem& from, const Own& own, Problem& to) {
  for (const ElementTerm& term : from.element_terms) {
    auto [elements, kept] = kept_of(term.elements, own);
    ElementTerm& added = to.element_terms.emplace_back(term);
    added.elements = std::move(elements);
    added.parameters = rows_of_each(term.parameters, term.elements.size(), kept);
    added.profiles = rows_of_each(term.profiles, term.elements.size(), kept);
  }
  for (const FaceTerm& term : from.face_terms) {
    auto [faces, kept] = kept_of(term.faces, [&](const FaceTerm::Face& face) -> std::optional<FaceTerm::Face> {
      const auto element = own(face.element);
      return element ? std::optional(FaceTerm::Face{*element, face.face}) : std::nullopt;
    });
    FaceTerm& added = to.face_terms.emplace_back(term);
    added.faces = std::move(faces);
    added.parameters = rows_of_each(term.parameters, term.faces.size(), kept);
    added.profiles = rows_of_each(term.profiles, term.faces.size(), kept);
    if (!term.others.empty()) added.others = rows(term.others, 1, kept);
  }
}

}  // namespace

Problem restricted(const Problem& problem, const Discretization& whole, const MeshPart& part) {
  const std::vector<std::int32_t> in_part = numbers_in_part(part, whole.K());
  const auto own = [&](std::int32_t k) -> std::optional<std::int32_t> {
    const std::int32_t number = in_part[index(k)];
    return number >= 0 && index(number) < part.own ? std::optional(number) : std::nullopt;
  };
  Problem result{.system = problem.system};
  for (const auto& values : problem.parameters) result.parameters.push_back(rows(values, 1, part.elements));
  for_each_boundary_face(whole, part,
                         [&](std::size_t, std::size_t b) { result.boundary.push_back(problem.boundary[b]); });
  add_terms(problem, own, result);
  for (FaceTerm& term : result.face_terms) {
    for (FaceTerm::Face& other : term.others) other.element = in_part[index(other.element)];
  }
  result.varying = restricted(problem.varying, in_part);
  return result;
}

std::size_t own_curved_count(const Discretization& part) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < part.own(); ++k) count += part.mesh.curved.is_curved(k) ? 1 : 0;
  return count;
}

OwnElements own_elements_alone(const Discretization& whole, Problem problem, std::span<const int> rank_of_element,
                               int rank) {
  for (FaceTerm& term : problem.face_terms) term.others.clear();
  const MeshPart piece = piece_of(whole, rank_of_element, rank);
  return {std::make_shared<const Discretization>(restricted(whole, piece)), restricted(problem, whole, piece)};
}

OwnElements own_elements_alone(const Discretization& part, Problem problem) {
  std::vector<int> is_ghost(part.K(), 0);
  std::fill(is_ghost.begin() + static_cast<std::ptrdiff_t>(part.own()), is_ghost.end(), 1);
  return own_elements_alone(part, std::move(problem), is_ghost, 0);
}

Problem with_own_terms(const Problem& problem, const Discretization& part) {
  Problem result{.system = problem.system,
                 .parameters = problem.parameters,
                 .boundary = problem.boundary,
                 .varying = problem.varying};
  const auto own = [&](std::int32_t k) { return index(k) < part.own() ? std::optional(k) : std::nullopt; };
  add_terms(problem, own, result);
  return result;
}

}  // namespace maxwell_dg::dg
