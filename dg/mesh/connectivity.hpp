#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// A face as one of its elements sees it.
struct ElementFace {
  std::size_t element{};
  int face{};                                            ///< 0 to 3, as in ReferenceElement
  auto operator<=>(const ElementFace&) const = default;  // NOLINT(modernize-use-nullptr): as in Contraction::Term
};

/// 4 * element + face of each, as Connectivity::neighbours numbers faces.
[[nodiscard]] std::vector<std::int32_t> face_numbers(std::span<const ElementFace> faces);

/// Who is on the other side of each face, by Mesh::identity where periodic surfaces were joined. Both sides of a face
/// of Mesh::walls are boundary faces.
struct Connectivity {
  struct BoundaryFace {
    static constexpr std::int32_t outside = -2;
    std::int32_t cell;
    std::int32_t face;     ///< 0 to 3, as in ReferenceElement
    std::int32_t surface;  ///< index into Mesh::surfaces, -1: unnamed
    /// Of a wall inside the mesh the region of the cell behind it, as in Mesh::cell_region.
    std::int32_t behind = outside;

    [[nodiscard]] bool is_inside() const { return behind != outside; }
  };

  /// [cell][face]: 4 * neighbour + neighbour's face, or -1 - b for boundary face b. Both sides list the nodes of a
  /// face in the same order, so nothing more is needed.
  std::vector<std::array<std::int32_t, 4>> neighbours;
  std::vector<BoundaryFace> boundary_faces;

  /// Needs a prepared mesh. O(K) time, 50 bytes a cell of working memory. Throws MeshError when more than two cells
  /// share a face, naming its vertices; `origin` names the mesh there.
  [[nodiscard]] static Connectivity make(const Mesh& mesh, const std::string& origin = "mesh");
};

}  // namespace maxwell_dg::dg
