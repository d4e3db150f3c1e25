#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/scaling.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/surface_sides.hpp"
#include "dg/symbolic/expression.hpp"
#include "dg/symbolic/system.hpp"

/// From a config and a mesh to what the library computes with, in the units inside (see Scaling).
namespace maxwell_dg::config {

/// The equations that a config asks for, with its flux, in the units inside.
[[nodiscard]] dg::System make_system(const Config& config);

/// Parameters of every element, condition of every boundary face, cell of every probe.
struct Resolved {
  dg::Problem problem;
  std::vector<bool> layer_faces;  ///< [boundary face] stands a layer against it, by a boundary of type pml?
  /// [boundary face] the first entry in `ports` there, or the number of ports plus the entry in `elements`; -1: none.
  /// `absorbing` holds there.
  std::vector<int> ports;
  std::vector<int> planes;    ///< [boundary face] the entry in `symmetry` in whose plane it lies, -1: in none
  std::vector<int> material;  ///< [cell] its entry in `materials`
  std::vector<dg::PointLocation> probes;  ///< in the order of outputs.probes; of real parts
  std::vector<double> within;             ///< ParameterValues::within
};

/// Checks the config against the mesh. Throws ConfigError with every finding: regions that the mesh does not have, are
/// covered twice or not at all; exterior faces without a condition; probes outside. Pure; O(cells + faces). `system` is
/// that of make_system; of each condition that takes numbers, every entry of config.boundaries adds a boundary to it.
[[nodiscard]] Resolved resolve(const Config& config, dg::System system, const dg::Discretization& discretization,
                               const dg::PointLocator& locator);
/// What the whole mesh is like, where a rank has a part of it.
struct OfWholeMesh {
  std::vector<dg::SurfaceSides> surfaces;  ///< [surface]
  dg::BoundingBox box;                     ///< of its vertices
};
/// The same where the discretization is a part of a mesh: probes that are not in it are elsewhere, and planes of
/// symmetry that it does not end at are other parts' ends; whether smooth media vary is for all parts to say
/// (`within`). The term of losses (dg::integrate_losses) is left to the caller.
[[nodiscard]] Resolved resolve_part(const Config& config, dg::System system, const dg::Discretization& part,
                                    const dg::PointLocator& locator, const OfWholeMesh& whole);

/// [region + 1] Do media vary within its cells, by a material that varies within elements? Empty where there is no such
/// material.
[[nodiscard]] std::vector<bool> varying_regions(const Config& config, const std::vector<std::string>& regions);

/// [surface] Is it a wall where it lies between two elements: does an entry of `boundaries` give it, by its name, a
/// condition that does not absorb?
[[nodiscard]] std::vector<bool> walls(const Config& config, const std::vector<std::string>& surfaces);

/// One formula as a tree in the coordinates and the time inside; values stay in the config's units.
[[nodiscard]] dg::symbolic::Expr expression(const Config& config, const Formula& formula);

/// Formulas of all fields, [field] in the order of system.fields, values and time inside.
[[nodiscard]] std::vector<dg::symbolic::Expr> expressions(const Config& config, const FieldFormulas& formulas,
                                                          const dg::System& system);

}  // namespace maxwell_dg::config
