#pragma once

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

/// A problem that was made on a part, without what its terms do in ghosts, which other ranks do.
[[nodiscard]] Problem with_own_terms(const Problem& problem, const Discretization& part);

}  // namespace maxwell_dg::dg
