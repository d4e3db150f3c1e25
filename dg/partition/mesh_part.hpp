#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/mesh/element_ranges.hpp"
#include "dg/mesh/halo.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// What one process has of a mesh that several share: its own elements, and behind them ghosts, elements of others
/// whose traces it reads, through faces that they share with own elements or as FaceTerm::others.
///
/// Own elements come range by range: straight ones that other processes have nothing to do with, straight ones at the
/// edge of the partition, then curved ones likewise; within a range in the order of the whole mesh. Ghosts follow,
/// straight ones, then curved ones. Complex fields: the own elements that hold real parts, in this order, then their
/// copies for imaginary parts in the same order, so that ComplexView holds for the own elements; and so the ghosts. A
/// place is at the edge or has a ghost if either of its two elements is or has.
struct MeshPart {
  int rank{};
  std::vector<std::int32_t> elements;  ///< [element of the part] its number in the whole mesh
  std::size_t own{};                   ///< how many of them are own ones
  std::vector<ElementRange> ranges;    ///< of all of them; there are no empty ones
  Halo halo;
};

/// [element of the whole mesh] its number in a part, -1 where it is none of its elements.
[[nodiscard]] std::vector<std::int32_t> numbers_in_part(const MeshPart& part, std::size_t elements);

/// The part of a process. `rank_of_element` says for each element of the whole mesh which process has it. Throws
/// std::invalid_argument where it is not as long as the mesh has elements, gives the two copies of a place of complex
/// fields to different processes, or leaves this one without elements; or where `whole` is a part itself.
[[nodiscard]] MeshPart part_of(const Discretization& whole, const Problem& problem,
                               std::span<const int> rank_of_element, int rank);

/// A process's own elements alone, as if nothing were around them: what its stages take can be measured on them. They
/// have the order of the whole, ranges of its shapes and rates, all of them interior, and a face that leads to
/// others leads back to itself.
[[nodiscard]] MeshPart piece_of(const Discretization& whole, std::span<const int> rank_of_element, int rank);

}  // namespace maxwell_dg::dg
