#pragma once

#include "dg/maxwell/pml.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::testing {

/// Of points along the radius from a centre: `slope` times what the radius is above `begin`.
[[nodiscard]] maxwell::PmlMotion radial_motion(const Point& centre, double slope, double begin);

/// Adds every kind of term there is to a problem of Maxwell's equations on at least 19 elements, some of them in
/// elements that share faces.
void add_all_terms(Problem& problem, const Discretization& d);

/// Adds a term of elements, with an auxiliary variable, and one of faces to a problem of any system on at least 19
/// elements. Their densities are polynomials of the order of the fields.
void add_linear_terms(Problem& problem, const Discretization& d);

}  // namespace maxwell_dg::dg::testing
