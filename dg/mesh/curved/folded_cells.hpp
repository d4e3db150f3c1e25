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

}  // namespace maxwell_dg::dg
