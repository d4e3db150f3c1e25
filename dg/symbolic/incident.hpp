#pragma once

#include <span>
#include <string>
#include <vector>

#include "dg/symbolic/system.hpp"

/// How a known wave enters a problem, for any linear System: as terms. `incident` is [field], of position and time; it
/// solves the system in the background medium.
namespace maxwell_dg::dg {

using IncidentField = std::vector<symbolic::Expr>;

/// What these faces read from outside is raised by `more`, [field], of the traces inside, the normal, own parameters
/// and profiles, place and time.
[[nodiscard]] FaceTerm outside_term(const System& system, std::string name, const std::vector<symbolic::Expr>& more,
                                    std::vector<FaceTerm::Face> faces);

/// The two sides of a surface between total field (the incident wave included) and scattered field (without it): what a
/// face reads from the other side is raised or lowered by the wave, so that it compares like with like. Faces of both
/// sides are needed; `sign` is 1 seen from the total field, -1 from the scattered one (Taflove & Hagness 2005,
/// section 5.6, for finite differences; here it is a change of the outside trace).
[[nodiscard]] FaceTerm total_field_term(const System& system, const IncidentField& incident,
                                        std::vector<FaceTerm::Face> faces, std::vector<double> sign);

/// Where the unknowns are the scattered field, boundaries radiate: what the condition makes of the incident wave alone
/// is added to the flux.
[[nodiscard]] FaceTerm scattering_boundary_term(const System& system, int boundary, const IncidentField& incident,
                                                std::vector<FaceTerm::Face> faces);

/// Likewise, elements radiate whose medium is not the background: by how much the incident wave fails their equations.
[[nodiscard]] ElementTerm scattering_medium_term(const System& system, const IncidentField& incident,
                                                 std::vector<std::int32_t> elements);

}  // namespace maxwell_dg::dg
