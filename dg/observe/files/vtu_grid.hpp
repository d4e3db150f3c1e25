#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
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
/// nodes, since the solution is discontinuous. Nodes, cells and cell data are the same in all files of a
/// series: their text is made once, and each file adds its point data. Of a single file nothing is kept.
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
    std::size_t cells;
    /// [cell][node][axis] of so many cells from the first on.
    std::function<std::vector<double>(std::size_t first, std::size_t cells)> positions;
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
  VtuGrid(Content content, Dtype precision);

  /// `add_point_data` adds one array after the other, each [part][cell][node][component]. Writes the file atomically.
  /// Throws OutputError.
  void write(const std::filesystem::path& file, const std::function<void(VtuArrays&)>& add_point_data);
  /// The same file without a text that is kept for later ones: takes no more memory than some pieces of a few
  /// megabytes, VtuArrays::usually_held, and a few numbers a cell.
  void write_once(const std::filesystem::path& file, const std::function<void(VtuArrays&)>& add_point_data) const;

  /// Writes a .pvtu file, which stands for a grid that lies in several .vtu files beside it, its pieces: each has this
  /// cell data and these arrays of point data, in this order. Writes it atomically. Throws OutputError.
  void write_pieces(const std::filesystem::path& file, std::span<const PointArray> point_data,
                    std::span<const std::string> pieces) const;

 private:
  [[nodiscard]] std::size_t cells() const { return content_.parts.size() * content_.cells; }
  void write_before(std::ostream& stream) const;  // the point data
  void write_after(std::ostream& stream) const;
  void add_positions(VtuArrays& arrays) const;
  template <class Id>
  void add_cells(VtuArrays& arrays) const;

  Content content_;
  Dtype precision_;
  std::optional<std::string> after_;  ///< the text after the point data, once a file of a series was written
};

}  // namespace maxwell_dg::dg
