#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "apps/config/config.hpp"
#include "apps/config/findings.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::config {

/// The parameters of the media, in the order of System::parameters and in the units inside, as Problem has them.
struct ParameterValues {
  std::vector<std::vector<double>> parameters;  ///< [parameter][element]
  dg::VaryingParameters varying;
  /// [entry of config.materials] of those that vary within elements: 1 where something varies within some cell, -1
  /// where nothing does in any; 0 of others, and of those without cells.
  std::vector<double> within;
};

/// `material` is the number of each cell's entry of config.materials, -1: none, which leaves the defaults. Of a formula
/// the mean over the cell is taken (ValuesByPlace::take_means), or where the material varies within elements its values
/// at the volume points, and their mean. Adds a finding for each constant whose values cannot be (not finite, not above
/// 0, a negative conductivity that is not said to be meant, a tensor that is not symmetric and positive definite), with
/// the first place, and for values that the mesh lacks.
[[nodiscard]] ParameterValues parameter_values(const Config& config, const dg::System& system,
                                               const dg::Discretization& discretization,
                                               const std::vector<int>& material, Findings& findings);

/// [cell] Is it of a material that varies within elements?
[[nodiscard]] std::vector<bool> varying_cells(const Config& config, const std::vector<int>& material);

/// Whether some material has a tensor; dg::maxwell::Options::anisotropic must say the same.
[[nodiscard]] bool is_anisotropic(const Config& config);

/// Why a tensor is that of no medium, "must be symmetric ..."; empty where it is one.
[[nodiscard]] std::string tensor_complaint(const Eigen::Matrix3d& tensor);

/// Why a relative permittivity or permeability is none that can be computed with; empty where it is one.
[[nodiscard]] std::string range_complaint(double constant);

/// Whether some constant differs from cell to cell of a region.
[[nodiscard]] bool varies_by_place(const Config& config);

}  // namespace maxwell_dg::config
