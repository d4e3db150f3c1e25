#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/operator/discretization.hpp"

namespace maxwell_dg::dg {

/// Writes nodal values as .vtu files of Lagrange tetrahedra of the discretization's order, discontinuous as the
/// solution is: ParaView draws the very polynomials. Points and cells are prepared once, and every file holds them.
/// Values are interpolated from the solver's nodes to the equispaced ones of VTK, so nothing is lost but rounding.
class VtkWriter {
 public:
  struct CellData {
    std::string name;
    std::vector<double> values;  ///< [element]
  };
  struct PointData {
    std::string name;
    std::vector<int> fields;      ///< one for a scalar, three for a vector
    std::vector<double> factors;  ///< to the unit of the file, one for each of `fields`
  };

  /// Empty, or why this build cannot write and what to do about it.
  [[nodiscard]] static std::string why_unavailable();

  /// Every file gets the cell data `region` (index into Mesh::regions, -1: none) besides `cell_data`,
  /// and `imaginary`, 0 or 1, of a mesh that is_twice.
  /// `precision`: float32 or float64 for all that is written. Throws ConfigError where it is unavailable.
  VtkWriter(const Discretization& discretization, Dtype precision, std::span<const CellData> cell_data);
  ~VtkWriter();
  VtkWriter(VtkWriter&&) noexcept;
  VtkWriter& operator=(VtkWriter&&) noexcept;

  /// `q`: [element][field][node] with `field_count` fields. The file appears whole or not at all: OutputError.
  void write(const std::filesystem::path& file, std::span<const double> q, int field_count,
             std::span<const PointData> point_data);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace maxwell_dg::dg
