#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/mesh.hpp"

/// What people are told about a mesh. `ranks`: those that have parts of it; with them, functions are collective.
namespace maxwell_dg::simulation {

/// "120 in 'air', 24 in 'ball'", of the first `own` cells.
[[nodiscard]] std::string elements_by_region(const dg::Mesh& mesh, std::size_t own,
                                             const core::Communicator& ranks = {});

/// How many of the own elements are curved, and how many are in regions, [region + 1], where media vary within
/// elements. The latter have maps, too, which need not be curved.
[[nodiscard]] std::array<std::size_t, 2> counts_of_curved_and_varying(const dg::Discretization& part,
                                                                      const std::vector<bool>& varying_regions,
                                                                      const core::Communicator& ranks = {});

/// [surface] How many named faces a mesh has, and where they are.
struct NamedFaces {
  std::vector<double> count;
  std::vector<dg::BoundingBox> box;
};
[[nodiscard]] NamedFaces named_faces(const dg::Mesh& mesh);
/// Of the mesh of which ranks have parts.
[[nodiscard]] NamedFaces named_faces(const dg::Discretization& part, const core::Communicator& ranks);
/// "24 in 'wall', 12 in 'surface_2' at z = 3 mm", the plane of what has no other name than its number; "none" where no
/// face has a name. `whole`: around all vertices.
[[nodiscard]] std::string faces_by_surface(const NamedFaces& faces, const std::vector<std::string>& surfaces,
                                           const dg::BoundingBox& whole,
                                           const std::function<std::string(double)>& length);

/// The shortest and the longest distance between two vertices of a tetrahedron.
[[nodiscard]] std::array<double, 2> lengths_of_edges(const dg::Mesh& mesh, const core::Communicator& ranks = {});

}  // namespace maxwell_dg::simulation
