#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/observe/files/mirrored_part.hpp"
#include "dg/observe/files/vtu_arrays.hpp"

namespace maxwell_dg::dg {

/// Numbers of VTK's cell types.
enum class VtkCell : std::uint8_t { lagrange_triangle = 69, lagrange_tetrahedron = 71 };

/// Writes a grid of cells of one kind and order as .vtu files (VTK's XML files of unstructured grids). Cells share no
/// nodes, since the solution is discontinuous. Nodes, cells and cell data are the same in all files: their text is made
/// once, and each file adds its point data.
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
    std::vector<MirroredPart> parts{{}};  ///< the cells are written for each of them
    /// [node] the order of the nodes of a cell that is reflected: from that of the cell itself.
    std::vector<std::size_t> reflected_order{};
  };

  struct PointArray {
    std::string name;
    std::size_t components;
  };

  /// `precision`: float32 or float64, for positions and cell data other than integers.
  VtuGrid(const Content& content, Dtype precision);

  /// `add_point_data` adds one array after the other, each [part][cell][node][component]. Writes the file atomically.
  /// Throws OutputError.
  void write(const std::filesystem::path& file, const std::function<void(VtuArrays&)>& add_point_data) const;

  /// Writes a .pvtu file, which stands for a grid that lies in several .vtu files beside it, its pieces: each has this
  /// cell data and these arrays of point data, in this order. Writes it atomically. Throws OutputError.
  void write_pieces(const std::filesystem::path& file, std::span<const PointArray> point_data,
                    std::span<const std::string> pieces) const;

 private:
  Dtype precision_;
  std::vector<std::string> integer_data_, data_;  ///< names of cell data
  std::string before_, after_;                    ///< the texts before and after the point data
};

}  // namespace maxwell_dg::dg
