#pragma once

#include <cstdint>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/partition/distributed/slices.hpp"

namespace maxwell_dg::dg {

/// What the space-filling curve needs of a cell.
struct CellOnCurve {
  std::uint64_t place;     ///< along the curve (places_on_curve)
  std::int32_t cell;       ///< its number in the file
  std::int32_t is_curved;  ///< 1 or 0
  double cost;             ///< above 0
};

/// What becomes of it.
struct OrderedCell {
  std::int32_t number;  ///< in the mesh as `prepare` orders it: straight cells first, each kind along the curve
  std::int32_t rank;    ///< that gets it: the curve is cut into pieces of equal costs
};

/// [cell of this rank's slice, ascending] from what each rank has of the cells in its slice. Every rank sorts a piece
/// of the curve; how long these are is found from samples. Collective.
[[nodiscard]] std::vector<OrderedCell> order_along_curve(std::vector<CellOnCurve> mine, const Slices& cells,
                                                         const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
