#pragma once

#include <vector>

#include "dg/maxwell/scene.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/incident.hpp"

/// How an incident wave enters Maxwell's equations (docs/theory.md, Sources).
namespace maxwell_dg::dg::maxwell {

/// The faces between elements in which the unknowns are the total field and others, seen from both sides, as
/// dg::total_field_term takes them.
struct TotalFieldSurface {
  std::vector<FaceTerm::Face> faces;  ///< ascending
  std::vector<double> sign;           ///< [face] 1 seen from the total field, -1 from the scattered one
};
/// `total`: [element].
[[nodiscard]] TotalFieldSurface total_field_surface(const Discretization& discretization,
                                                    const std::vector<bool>& total);

/// Makes the unknowns of the scene's problem the scattered field: what scatters the wave radiates, boundaries and
/// media; and the polarization of dispersive media and the currents of sheets follow the whole field. All ranks that
/// have parts of the mesh get the same terms. Collective.
void add_scattered_field(const Scene& scene, const IncidentField& incident, Problem& problem,
                         const core::Communicator& ranks = {});

}  // namespace maxwell_dg::dg::maxwell
