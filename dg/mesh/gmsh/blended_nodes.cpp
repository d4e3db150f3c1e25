#include "dg/mesh/gmsh/blended_nodes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/curved/folded_cells.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {
namespace {

/// How the displacements of the nodes within an edge of a cell (two vertices) or a face (three) are continued through
/// the cell: at a point with the barycentric coordinates l, the node with the coordinates p / order counts
///
///     prod_a (order l_a / p_a) L_{p_a - 1}(order m_a - 1),  m_a = l_a + (1 - sum_b l_b) / n,  a, b of the n vertices,
///
/// with L_k(x) = x (x - 1) ... (x - k + 1) / k!. The products of L are the Lagrange polynomials of the nodes within it,
/// at the point of its line or plane in the direction of the middle of the other vertices.
class Continuation {
 public:
  Continuation(int order, std::span<const GeometryNode> places, std::vector<std::size_t> vertices)
      : vertices_(std::move(vertices)) {
    for (std::size_t n = 0; n < places.size(); ++n) {
      const bool is_within = std::ranges::all_of(std::array<std::size_t, 4>{0, 1, 2, 3}, [&](std::size_t a) {
        return (places[n][a] > 0) == (std::ranges::find(vertices_, a) != vertices_.end());
      });
      if (is_within) nodes_.push_back(n);
    }
    for (const GeometryNode& at : places) {
      for (const std::size_t n : nodes_) weights_.push_back(weight(order, at, places[n]));
    }
  }

  /// Adds to `sum` at each node what `displacement` is continued to; both [node].
  void add(std::span<const Point> displacement, std::span<Point> sum) const {
    std::size_t w = 0;
    for (Point& x : sum) {
      for (const std::size_t n : nodes_) {
        for (std::size_t d = 0; d < 3; ++d) x[d] += weights_[w] * displacement[n][d];
        ++w;
      }
    }
  }

 private:
  [[nodiscard]] double weight(int order, const GeometryNode& at, const GeometryNode& of) const {
    double rest = order;
    for (const std::size_t a : vertices_) rest -= at[a];
    double product = 1;
    for (const std::size_t a : vertices_) {
      product *= static_cast<double>(at[a]) / of[a];
      const double x = at[a] + rest / static_cast<double>(vertices_.size()) - 1;
      for (int i = 0; i + 1 < of[a]; ++i) product *= (x - i) / (i + 1);
    }
    return product;
  }

  std::vector<std::size_t> vertices_;
  std::vector<std::size_t> nodes_;  ///< within the edge or face
  std::vector<double> weights_;     ///< [node of the cell][of nodes_]
};

using Triangle = std::array<std::int32_t, 3>;

Triangle ascending(Triangle vertices) {
  std::ranges::sort(vertices);
  return vertices;
}

Triangle vertices_of_face(const std::array<std::int32_t, 4>& cell, std::size_t face) {
  const auto& [a, b, c] = face_vertices.at(face);
  return ascending({cell.at(a), cell.at(b), cell.at(c)});
}

/// Which faces of curved cells have nodes that stay.
class FaceNodes {
 public:
  FaceNodes(const Mesh& mesh, std::span<const int> volume) : number_(mesh.curved.number), stay_(mesh.curved.count()) {
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
      for (std::size_t f = 0; mesh.curved.is_curved(k) && f < 4; ++f) {
        sides_.push_back({vertices_of_face(mesh.cells[k], f), k, f});
      }
    }
    std::ranges::sort(sides_, std::less<>(), &Side::vertices);
    for (const Side& side : sides_) {
      const auto both = sides_of(side.vertices);
      const bool is_amid_a_volume = both.size() == 2 && volume[both.front().cell] == volume[both.back().cell];
      if (!is_amid_a_volume) let_stay(both);
    }
    for (const auto& named : mesh.surface_faces) let_stay(sides_of(ascending(named.vertices)));
  }

  [[nodiscard]] const std::array<bool, 4>& stay(std::size_t cell) const { return stay_[index(number_[cell])]; }
  void let_all_stay(const std::array<std::int32_t, 4>& cell) {
    for (std::size_t f = 0; f < 4; ++f) let_stay(sides_of(vertices_of_face(cell, f)));
  }

 private:
  struct Side {
    Triangle vertices;
    std::size_t cell, face;
  };

  [[nodiscard]] std::span<const Side> sides_of(const Triangle& vertices) const {
    const auto found = std::ranges::equal_range(sides_, vertices, std::less<>(), &Side::vertices);
    return {found.begin(), found.end()};
  }
  void let_stay(std::span<const Side> sides) {
    for (const Side& side : sides) stay_[index(number_[side.cell])].at(side.face) = true;
  }

  std::vector<std::int32_t> number_;       ///< of curved cells, as in CurvedCells
  std::vector<std::array<bool, 4>> stay_;  ///< [curved cell][face]
  std::vector<Side> sides_;                ///< of all curved cells, by their vertices
};

std::size_t face_opposite(std::size_t vertex) {
  const auto& opposite = ReferenceElement::opposite_vertex;
  return static_cast<std::size_t>(std::ranges::find(opposite, static_cast<int>(vertex)) - opposite.begin());
}

/// How the nodes of curved cells of one order follow from those that stay.
class Blending {
 public:
  explicit Blending(int order) : order_(order), places_(geometry_nodes(order)) {
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = a + 1; b < 4; ++b) edges_.emplace_back(order, places_, std::vector{a, b});
    }
    for (const auto& [a, b, c] : face_vertices) faces_.emplace_back(order, places_, std::vector{a, b, c});
  }

  /// The nodes of a cell whose vertices ascend: both cells at a face then get the same bits.
  void blend(const std::array<Point, 4>& corners, const std::array<bool, 4>& faces_stay, std::span<Point> nodes) const {
    std::vector<Point> straight, displacement, blended(nodes.size(), Point{});
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      straight.push_back(straight_node(corners, order_, places_[n]));
      displacement.push_back(minus(nodes[n], straight[n]));
    }
    for (const Continuation& edge : edges_) edge.add(displacement, blended);
    for (std::size_t n = 0; n < nodes.size(); ++n) displacement[n] = minus(displacement[n], blended[n]);
    for (std::size_t f = 0; f < 4; ++f) {
      if (faces_stay[f]) faces_[f].add(displacement, blended);
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (is_new(places_[n], faces_stay)) nodes[n] = plus(straight[n], blended[n]);
    }
  }

 private:
  [[nodiscard]] static bool is_new(const GeometryNode& place, const std::array<bool, 4>& faces_stay) {
    if (std::ranges::count(place, 0) > 1) return false;  // of an edge
    for (std::size_t a = 0; a < 4; ++a) {
      if (place[a] == 0) return !faces_stay[face_opposite(a)];
    }
    return true;
  }

  int order_;
  std::vector<GeometryNode> places_;
  std::vector<Continuation> edges_, faces_;
};

/// Of a cell whose vertices may have any order.
void blend_cell(const Blending& blending, const std::array<bool, 4>& faces_stay, Mesh& mesh, std::size_t cell) {
  const auto& vertices = mesh.cells[cell];
  std::array<std::size_t, 4> old{0, 1, 2, 3};  // vertex a of those that ascend is this one of the cell
  std::ranges::sort(old, std::less<>(), [&](std::size_t a) { return vertices.at(a); });
  const auto corners = corners_of(mesh, cell);
  std::array<Point, 4> sorted_corners{};
  std::array<std::size_t, 4> back{};
  std::array<bool, 4> sorted_stay{};
  for (std::size_t a = 0; a < 4; ++a) {
    sorted_corners[a] = corners[old[a]];
    back[old[a]] = a;
    sorted_stay[face_opposite(a)] = faces_stay[face_opposite(old[a])];
  }
  mesh.curved.turn(cell, old);
  blending.blend(sorted_corners, sorted_stay, mesh.curved.nodes_of(cell));
  mesh.curved.turn(cell, back);
}

}  // namespace

std::size_t blend_nodes(Mesh& mesh, std::span<const int> volume) {
  if (mesh.curved.order < 3) return 0;  // there are nodes at edges only
  const CurvedCells given = mesh.curved;
  const Blending blending(given.order);
  FaceNodes face_nodes(mesh, volume);
  std::vector<bool> stays(mesh.cells.size(), false);
  for (std::size_t kept = 0;;) {
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
      if (given.is_curved(k) && !stays[k]) blend_cell(blending, face_nodes.stay(k), mesh, k);
    }
    const std::size_t before = kept;
    for (const FoldedCell& folded : folded_cells(mesh)) {
      if (stays[folded.cell]) continue;
      stays[folded.cell] = true;
      face_nodes.let_all_stay(mesh.cells[folded.cell]);
      ++kept;
    }
    if (kept == before) return kept;
    mesh.curved = given;
  }
}

}  // namespace maxwell_dg::dg
