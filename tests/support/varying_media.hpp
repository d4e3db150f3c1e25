#pragma once

#include <functional>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::testing {

/// [parameter] of a place.
using Medium = std::function<std::vector<double>(const Point&)>;

/// Lets parameters vary within all curved elements of a mesh, and be those of the centroid in the others.
void vary_within(Problem& problem, const Discretization& d, const Medium& medium);

}  // namespace maxwell_dg::dg::testing
