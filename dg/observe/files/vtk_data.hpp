#pragma once

#include <span>
#include <string>
#include <vector>

#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/files/vtk_writer.hpp"
#include "dg/symbolic/system.hpp"

/// The data of a problem that VTK files have, in the units of files.
namespace maxwell_dg::dg {

/// The quantities of these names as point data; all quantities if `quantities` is empty. Throws ConfigError for a name
/// that the system does not have.
[[nodiscard]] std::vector<VtkWriter::PointData> point_data(const System& system,
                                                           std::span<const std::string> quantities,
                                                           const FileScaling& scaling);

/// The parameters of the system as cell data with their names: a number for each element.
[[nodiscard]] std::vector<VtkWriter::CellData> cell_data(const Problem& problem, const FileScaling& scaling);

}  // namespace maxwell_dg::dg
