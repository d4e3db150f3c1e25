#pragma once

#include <vector>

#include <Eigen/Core>

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

/// Right-hand factors of products by tiles, arranged as dg/kernels/stage_tiles.kernel reads them: what one item reads
/// of a step, `step_columns` columns of the matrix, is adjacent.
constexpr int step_columns = 8;
[[nodiscard]] constexpr int steps(int columns) {
  return ceil_divide(columns, step_columns);
}

/// What multiplies, and so what becomes of an entry: plain arithmetic, itself; tensor cores, itself (whole), two TF32
/// numbers, or two halves of the entry times `right_scale`: a word has the high ones of two columns, another the low
/// ones.
enum class FactorForm { plain, whole, tf32_parts, pairs_of_halves };
constexpr int right_scale = 32;  // entries up to 2000, and 22 bits of all above 1/256

/// [node tile][step][of `matrices`][item][entry]. The matrices are of one shape, a row a node. Throws std::logic_error
/// on entries that halves do not hold.
[[nodiscard]] std::vector<double> tile_factors(const std::vector<const Eigen::MatrixXd*>& matrices, int tile_nodes,
                                               int tiles, FactorForm form);

}  // namespace maxwell_dg::dg
