#pragma once

#include <cstddef>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// A curved cell whose map is not invertible.
struct FoldedCell {
  std::size_t cell;
  Point where;  ///< where the determinant of its Jacobian is not of the sign that the vertices have
};

/// All of them, by DeterminantCheck.
[[nodiscard]] std::vector<FoldedCell> folded_cells(const Mesh& mesh);

/// Whether Gmsh's optimizer of curved elements is worth a try on so many that fold over, where `mesh.order` asks for
/// this order: of order 4 it takes about two seconds for each, of order 6 minutes, and Gmsh 4.8 crashes in it from
/// order 7 on.
[[nodiscard]] constexpr bool can_mend(int order, std::size_t folded) {
  constexpr std::size_t few = 20;
  return folded > 0 && order >= 2 && (order <= 3 || (order == 4 && folded <= few));
}

}  // namespace maxwell_dg::dg
