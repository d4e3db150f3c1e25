#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/partition/distributed/assembly.hpp"

namespace maxwell_dg::dg {

/// The cells of a mesh that have a vertex on one of some surfaces, or one that periodic surfaces join with it, the same
/// on all ranks: for what needs these surfaces as a whole, and knows what is beside them.
struct CellsAround {
  Mesh mesh;  ///< prepared; two vertices more, which no cell has, give it the whole one's extent
  std::vector<std::int32_t> numbers;  ///< [cell] in the whole mesh, ascending
};

/// `is_wanted`: [surface]. `faces`: the named faces of which this rank has all vertices, by their numbers in the file,
/// those of own cells among them; their cells' vertices are in the order of the whole once `classes` are known.
/// Collective.
[[nodiscard]] CellsAround cells_around(const std::vector<bool>& is_wanted, const CellRows& own,
                                       std::span<const Mesh::SurfaceFace> faces, const VertexClasses& classes,
                                       const VertexSlice& vertices, const MeshRows::Content& names,
                                       const core::Communicator& ranks);

/// Of all ranks, ascending by their numbers: those of `own` whose indices are in `mine`. Collective.
[[nodiscard]] CellRows gathered(const CellRows& own, const std::vector<std::int32_t>& mine, int curved_order,
                                const core::Communicator& ranks);

/// All numbers, and those that stand for them.
[[nodiscard]] std::vector<std::int32_t> with_classes(std::vector<std::int32_t> numbers, const VertexClasses& classes);

}  // namespace maxwell_dg::dg
