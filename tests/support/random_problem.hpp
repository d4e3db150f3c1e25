#pragma once

#include <memory>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

/// Discretizations and problems with nothing special about them: what a generated kernel must get right.
namespace maxwell_dg::dg::testing {

/// The first `cells` tetrahedra of a box whose vertices were moved at random by up to 15 % of a cell: ragged sizes,
/// no two alike. Boundary faces are unnamed.
[[nodiscard]] Mesh random_mesh(int cells);

/// Random positive parameters in every element, a random boundary condition on every boundary face.
[[nodiscard]] Problem random_problem(const System& system, const Discretization& discretization);

/// The default parameters in every element, conducting walls, no terms.
[[nodiscard]] Problem plain_problem(const System& system, const Discretization& discretization);

/// Maxwell with random symmetric positive tensors, whose eigenvalues differ by factors of up to six.
[[nodiscard]] Problem random_anisotropic_problem(double alpha, const Discretization& discretization);

/// Maxwell with two surface impedances and a first boundary that depends on place and time.
[[nodiscard]] System maxwell_with_incident_wave(double alpha = 1.0);

/// Numbers between -1 and 1, the same in every run.
[[nodiscard]] std::vector<double> random_values(std::size_t count, unsigned seed = 1);

/// |a - b| / |b| in the Euclidean norm; NaN never passes a bound.
[[nodiscard]] double relative_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace maxwell_dg::dg::testing
