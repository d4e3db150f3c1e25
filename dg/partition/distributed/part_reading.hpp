#pragma once

#include <cstddef>
#include <span>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/mesh_rows.hpp"
#include "dg/mesh/periodic.hpp"
#include "dg/partition/distributed/cell_slice.hpp"
#include "dg/partition/distributed/cells_around.hpp"

namespace maxwell_dg::dg {

/// What a rank has of a mesh that is divided along its space-filling curve, as `restricted` would give it of the whole:
/// own cells, behind them ghosts, in the order of MeshPart, without FaceTerm::others.
struct PartOfMesh {
  Mesh mesh;
  Connectivity connectivity;
  std::vector<ElementRange> ranges;
  Halo halo;
  std::vector<std::int32_t> whole_numbers;  ///< [cell] in the whole mesh
  std::size_t whole_cells{}, whole_vertices{};
  CellsAround around;  ///< those of BeforeDividing::around
};

/// What is to be known of a mesh before it is divided; empty lists: nothing.
struct BeforeDividing {
  std::vector<bool> walls{};      ///< [surface] as Mesh::walls
  std::vector<bool> around{};     ///< [surface] every rank gets the cells around these
  std::vector<bool> as_curved{};  ///< [region + 1] do its cells count as curved, whatever their maps (count_as_curved)?
};

/// Reads the part of each rank by slices (docs/decisions/031-reading-by-slices.md): no rank holds more of the mesh than
/// its slice or its part, what lies on the outside of the whole, and the cells at periodic surfaces and around those
/// that are asked for. Throws MeshError as read_mesh and join_periodic do, the same on all ranks, and NeedsWholeMesh.
/// Collective.
[[nodiscard]] PartOfMesh read_part(const MeshRows& rows, const CellCost& cost, std::span<const PeriodicPair> periodic,
                                   const core::Communicator& ranks, const BeforeDividing& known = {});

/// With polynomials of an order on it; of complex fields with_imaginary_parts gives the part.
[[nodiscard]] Discretization discretization_of(PartOfMesh part, int order, FieldNumbers numbers = FieldNumbers::real);

}  // namespace maxwell_dg::dg
