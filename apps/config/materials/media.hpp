#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "apps/config/config.hpp"
#include "apps/config/findings.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::config {

/// The parameters of every element, [parameter][element] in the order of system.parameters, in the units inside.
/// `material` is the number of each cell's entry of config.materials, -1: none, which leaves the defaults.
///
/// Of a formula the mean over the cell is taken, (sum_i w_i f(x_i)) / sum_i w_i over the nodes of the solver's order
/// with w_i = sum_j M_ij, exact where the polynomials of that order are; some weights are negative, so it is held
/// between the least and the largest f(x_i). Adds a finding for each constant whose values cannot be (not finite, not
/// above 0, a negative conductivity that is not said to be meant, a tensor that is not symmetric and positive
/// definite), with the first place, and for values that the mesh lacks. O(cells x nodes) for formulas.
[[nodiscard]] std::vector<std::vector<double>> element_parameters(const Config& config, const dg::System& system,
                                                                  const dg::Mesh& mesh,
                                                                  const std::vector<int>& material, Findings& findings);

/// [cell] Whether parameters vary within it: of those materials whose profile is smooth.
[[nodiscard]] std::vector<bool> varying_cells(const Config& config, const std::vector<int>& material);

/// The parameters of those cells at their volume points, in the units inside; numbers and means come from `parameters`,
/// of element_parameters. Adds findings like it, and where nothing of a smooth material varies, or tensors would.
[[nodiscard]] dg::VaryingParameters varying_parameters(const Config& config, const dg::System& system,
                                                       const dg::Discretization& discretization,
                                                       const std::vector<int>& material,
                                                       const std::vector<std::vector<double>>& parameters,
                                                       Findings& findings);

/// Whether some material has a tensor; dg::maxwell::Options::anisotropic must say the same.
[[nodiscard]] bool is_anisotropic(const Config& config);

/// Why a tensor is that of no medium, "must be symmetric ..."; empty where it is one.
[[nodiscard]] std::string tensor_complaint(const Eigen::Matrix3d& tensor);

/// Why a relative permittivity or permeability is none that can be computed with; empty where it is one.
[[nodiscard]] std::string range_complaint(double constant);

/// Whether some constant differs from cell to cell of a region.
[[nodiscard]] bool varies_by_place(const Config& config);

}  // namespace maxwell_dg::config
