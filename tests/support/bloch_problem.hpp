#pragma once

#include "dg/mesh/mesh.hpp"
#include "dg/symbolic/system.hpp"

/// Fields that are the same from period to period but for a phase.
namespace maxwell_dg::dg::testing {

/// A box that is periodic along x and y, 162 tetrahedra: three cells along each axis are the least that periodic
/// surfaces allow.
[[nodiscard]] Mesh periodic_box();

/// Maxwell on the periodic box, with complex fields, random media, and a phase of 0.7 from one end of x to the other.
[[nodiscard]] Problem problem_with_phases(const Discretization& d);

}  // namespace maxwell_dg::dg::testing
