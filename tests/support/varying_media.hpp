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

/// Tensors epsilon and mu (maxwell::anisotropic_parameters) by random waves of the place, with eigenvalues from 1 to 80
/// and axes that turn, and a conductivity from 0 to `sigma`. `seed` picks one of many.
[[nodiscard]] Medium random_smooth_tensors(unsigned seed, double sigma);

}  // namespace maxwell_dg::dg::testing
