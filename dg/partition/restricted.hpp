#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "dg/mesh/discretization.hpp"
#include "dg/partition/mesh_part.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// A part of a discretization, as one. Geometry is copied: its numbers are those of the whole to the bit. Of vertices
/// and named faces it has those of its elements (and the vertices that stand for these in Mesh::identity), in the order
/// of the whole. Own elements have the neighbours and the boundary faces that they have in the whole; boundary faces
/// are listed by their elements' numbers in the part. Ghosts have no boundary faces: a face of a ghost that does
/// not lead to an own element leads back to itself.
[[nodiscard]] Discretization restricted(const Discretization& whole, const MeshPart& part);

/// The problem on a part of a discretization: parameters of all its elements, conditions at its boundary faces, terms
/// in its own elements and at their faces. Every part has all terms, in the order of the whole problem, also those that
/// have no element in it: so all processes agree on what term number i is, in checkpoints and tables of powers.
[[nodiscard]] Problem restricted(const Problem& problem, const Discretization& whole, const MeshPart& part);

/// How many own elements are curved; ghosts may be where none is.
[[nodiscard]] std::size_t own_curved_count(const Discretization& part);

/// A rank's own elements as a mesh of their own, see piece_of, with the terms in them and at their faces; what these
/// read elsewhere is left out. For measurements of what a stage takes. A copy.
struct OwnElements {
  std::shared_ptr<const Discretization> discretization;
  Problem problem;
};
[[nodiscard]] OwnElements own_elements_alone(const Discretization& whole, Problem problem,
                                             std::span<const int> rank_of_element, int rank);
/// The same of a part with its ghosts.
[[nodiscard]] OwnElements own_elements_alone(const Discretization& part, Problem problem);

/// A problem that was made on a part, without what its terms do in ghosts, which other ranks do.
[[nodiscard]] Problem with_own_terms(const Problem& problem, const Discretization& part);

}  // namespace maxwell_dg::dg
