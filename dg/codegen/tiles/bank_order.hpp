#pragma once

#include <vector>

namespace maxwell_dg::dg {

/// Items of a warp read or write rows in shared memory by squares: four offsets in each of eight rows (in double
/// precision in two halves, of four rows each). Rows begin an odd multiple of four values apart (row_apart,
/// SharedRows), so that items meet in a bank only where two of the four offsets agree modulo 4.
///
/// What such squares read or write in one instruction: an offset for each candidate.
struct SquareAccess {
  std::vector<int> offsets;  ///< [candidate]
  double weight = 1;         ///< how often
};

/// An order of the candidates in which, of each four in a row, few access the same bank. It is found by exchanging two
/// candidates as long as that helps. `classes` are counts: the first classes[0] candidates stay in front, in an order
/// of their own, the next classes[1] follow, and so on. Throws std::invalid_argument where the classes do not add up to
/// the candidates.
[[nodiscard]] std::vector<int> order_by_squares(const std::vector<SquareAccess>& accesses,
                                                const std::vector<int>& classes);

}  // namespace maxwell_dg::dg
