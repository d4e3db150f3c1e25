#pragma once

#include <string>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// SHA-256 of all of a mesh: vertices, elements in their order, regions, surfaces, values by name, curved geometry.
[[nodiscard]] std::string digest(const Mesh& mesh);

/// A digest of all of a mesh that is the same for the whole and for its parts on any number of ranks: of the sums of
/// what mixes the content of each element, with its number. For finding out whether two meshes are the same one, not
/// against those who forge one. Collective.
[[nodiscard]] std::string digest_of_all(const Discretization& part, const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
