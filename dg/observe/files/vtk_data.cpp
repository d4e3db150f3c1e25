#include "dg/observe/files/vtk_data.hpp"

#include <utility>

#include "dg/observe/files/field_groups.hpp"

namespace maxwell_dg::dg {

std::vector<VtkWriter::PointData> point_data(const System& system, std::span<const std::string> quantities,
                                             const FileScaling& scaling) {
  std::vector<VtkWriter::PointData> result;
  for (FieldGroup& group : select_field_groups(system.fields, quantities)) {
    std::vector<double> factors;
    for (const int f : group.fields) factors.push_back(scaling.field(f));
    std::vector<std::vector<double>> signs;
    for (const MirroredPart& part : scaling.parts) {
      std::vector<double>& of_part = signs.emplace_back();
      for (const int f : group.fields) of_part.push_back(part.field(f));
    }
    result.push_back({std::move(group.name), std::move(group.fields), std::move(factors), std::move(signs)});
  }
  return result;
}

std::vector<VtkWriter::CellData> cell_data(const Problem& problem, const FileScaling& scaling) {
  std::vector<VtkWriter::CellData> result;
  for (std::size_t p = 0; p < problem.parameters.size(); ++p) {
    std::vector<double> values = problem.parameters[p];
    for (double& value : values) value *= scaling.parameter(static_cast<int>(p));
    result.push_back({problem.system.parameters[p].name, std::move(values)});
  }
  return result;
}

}  // namespace maxwell_dg::dg
