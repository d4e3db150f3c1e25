#pragma once

#include <vector>

#include <Eigen/Core>

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

/// Right-hand factors of products by tiles, arranged as dg/codegen/tiles/stage_tiles.kernel reads them, by steps of
/// `step_columns` columns of the matrix. What an item reads at once is adjacent, and so is what all items do.
constexpr int step_columns = 8;
[[nodiscard]] constexpr int steps(int columns) {
  return ceil_divide(columns, step_columns);
}

/// What multiplies, and so what becomes of an entry: plain arithmetic, itself; tensor cores, itself (whole), or two
/// TF32 numbers.
enum class FactorForm { plain, whole, tf32_parts };

/// Which nodes the columns of a tile of 8 are: one after the other, or from both halves in turn, 0 4 1 5 2 6 3 7.
enum class NodeOrder { in_pairs, in_halves };

/// [node tile][step][of `matrices`][read][item][entry of the read]. The matrices are of one shape, a row a node.
[[nodiscard]] std::vector<double> tile_factors(const std::vector<const Eigen::MatrixXd*>& matrices, int tile_nodes,
                                               int tiles, FactorForm form, NodeOrder order);

}  // namespace maxwell_dg::dg
