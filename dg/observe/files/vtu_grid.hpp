#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/observe/files/vtu_arrays.hpp"

namespace maxwell_dg::dg {

/// Numbers of VTK's cell types.
enum class VtkCell : std::uint8_t { lagrange_triangle = 69, lagrange_tetrahedron = 71 };

/// A grid of cells of one kind and order as .vtu files (VTK's XML files of unstructured grids). Each cell has nodes of
/// its own, for the solution is discontinuous. What all files of a grid share, nodes, cells and cell data, becomes text
/// once; each file adds its point data.
class VtuGrid {
 public:
  struct IntegerCellData {
    std::string name;
    std::vector<std::int32_t> values;  ///< [cell]
  };
  struct CellData {
    std::string name;
    std::vector<double> values;  ///< [cell]
  };
  struct Content {
    VtkCell cell;
    std::size_t nodes_per_cell;
    std::vector<double> positions;  ///< [cell][node][axis]
    std::vector<IntegerCellData> integer_data{};
    std::vector<CellData> data{};
  };

  /// `precision`: float32 or float64 for all positions and cell data that are no integers.
  VtuGrid(const Content& content, Dtype precision);

  /// `add_point_data` adds one array after the other, each of [cell][node][component]. The file appears whole or not at
  /// all: OutputError.
  void write(const std::filesystem::path& file, const std::function<void(VtuArrays&)>& add_point_data) const;

 private:
  std::string before_, after_;  ///< the point data
};

}  // namespace maxwell_dg::dg
