#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "dg/partition/distributed/cell_rows.hpp"
#include "dg/partition/distributed/vertex_rows.hpp"

namespace maxwell_dg::dg {

/// A mesh that can be read whole alone, and why: "it has ...".
struct NeedsWholeMesh : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a stage of a cell costs, above 0, by its region (-1: none), whether it is curved, and its centroid.
using CellCost = std::function<double(std::int32_t region, bool is_curved, const Point& centroid)>;

/// Of a region, -1: none; `as_curved`: BeforeDividing's.
[[nodiscard]] inline bool counts_as_curved(const std::vector<bool>& as_curved, std::int32_t region) {
  return !as_curved.empty() && as_curved[static_cast<std::size_t>(region + 1)];
}

/// The cells that a rank gets, ascending by their numbers in the whole mesh. Each rank reads an equal slice of the
/// file, checks its cells one by one, and sends each to the rank whose piece of the space-filling curve it is in. Tells
/// `vertices` their first cells. Throws MeshError, the same on all ranks, and NeedsWholeMesh. Collective.
[[nodiscard]] CellRows own_cells(const MeshRows& rows, const CellCost& cost, const std::vector<bool>& as_curved,
                                 VertexSlice& vertices, const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
