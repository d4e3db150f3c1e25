#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "core/dtype.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/observe/files/vtu_grid.hpp"

namespace maxwell_dg::dg {

/// Writes nodal values as .vtu files of Lagrange tetrahedra of the discretization's order, discontinuous as the
/// solution is: ParaView draws the very polynomials. Values are interpolated from the solver's nodes to the equispaced
/// ones of VTK, so nothing is lost but rounding.
class VtkWriter {
 public:
  using CellData = VtuGrid::CellData;
  struct PointData {
    std::string name;
    std::vector<int> fields;      ///< one for a scalar, three for a vector
    std::vector<double> factors;  ///< to the unit of the file, one for each of `fields`
  };

  /// Every file gets the cell data `region` (index into Mesh::regions, -1: none) besides `cell_data`,
  /// and `imaginary`, 0 or 1, where fields are complex. The discretization must outlive the writer.
  /// `precision`: float32 or float64 for all that is written.
  VtkWriter(const Discretization& discretization, Dtype precision, std::vector<CellData> cell_data);

  /// `q`: [element][field][node] with `field_count` fields. The file appears whole or not at all: OutputError.
  void write(const std::filesystem::path& file, std::span<const double> q, int field_count,
             std::span<const PointData> point_data);

 private:
  [[nodiscard]] std::size_t handedness(std::size_t k) const;
  [[nodiscard]] VtuGrid make_grid() const;
  template <class T>
  [[nodiscard]] std::vector<T> at_nodes(std::span<const double> q, int field_count, const PointData& data) const;

  const Discretization& d_;
  Dtype precision_;
  std::vector<CellData> cell_data_;
  std::array<Eigen::MatrixXd, 2> P_;                       ///< to VTK's nodes, of right-handed and of mirrored elements
  std::array<std::vector<std::size_t>, 2> of_handedness_;  ///< such elements
  std::optional<VtuGrid> grid_;                            ///< from the first file on
};

/// Cell data `region` and, where fields are complex (both parts lie in the same places), `imaginary`, of cells that lie
/// in these elements.
[[nodiscard]] std::vector<VtuGrid::IntegerCellData> region_data(const Discretization& discretization,
                                                                std::span<const std::size_t> elements);

}  // namespace maxwell_dg::dg
