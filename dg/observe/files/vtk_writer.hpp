#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "core/dtype.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/observe/files/vtu_grid.hpp"

namespace maxwell_dg::dg {

/// Writes nodal values of own elements as .vtu files of Lagrange tetrahedra of the discretization's order, which share
/// no nodes since the solution is discontinuous. Values are interpolated from the solver's nodes to the equispaced ones
/// of VTK, so ParaView has exactly the solver's polynomials, up to rounding.
class VtkWriter {
 public:
  using CellData = VtuGrid::CellData;
  struct PointData {
    std::string name;
    std::vector<int> fields;                     ///< one for a scalar, three for a vector
    std::vector<double> factors;                 ///< to the unit of the file, for each of `fields`
    std::vector<std::vector<double>> signs{{}};  ///< [part of the whole][one of `fields`]
  };

  /// Every file gets `cell_data` (of ghosts, too, where it is of a part of a mesh) and the cell data `region` (index
  /// into Mesh::regions, -1: none) and, if fields are complex, `imaginary` (0 or 1). `precision`: float32 or float64,
  /// for all numbers of a file. The discretization must outlive the writer. Files show all `parts` of the whole.
  VtkWriter(const Discretization& discretization, Dtype precision, std::vector<CellData> cell_data,
            std::vector<MirroredPart> parts = {{}});

  /// `q`: [own element][field][node] with `field_count` fields. Writes the file atomically. Throws OutputError.
  void write(const std::filesystem::path& file, std::span<const double> q, int field_count,
             std::span<const PointData> point_data);
  /// The same file, of which `read` hands over the values piece by piece, in the order of elements; it is called again
  /// and again. For a file that is written once: see VtuGrid::write_once for the memory.
  void write_once(const std::filesystem::path& file, const std::function<void(const TakeElements&)>& read,
                  int field_count, std::span<const PointData> point_data) const;
  /// Writes the .pvtu file of several such files, see VtuGrid::write_pieces.
  void write_pieces(const std::filesystem::path& file, std::span<const PointData> point_data,
                    std::span<const std::string> pieces) const;

  VtkWriter(const VtkWriter&) = delete;  // the grid's positions are of this object
  VtkWriter& operator=(const VtkWriter&) = delete;

 private:
  [[nodiscard]] std::size_t handedness(std::size_t k) const;
  [[nodiscard]] VtuGrid::Content content(std::vector<CellData> cell_data, std::vector<MirroredPart> parts) const;
  [[nodiscard]] std::vector<double> positions(std::size_t first, std::size_t elements) const;
  template <class T>
  [[nodiscard]] std::vector<T> at_nodes(std::size_t first, std::span<const double> q, int field_count,
                                        const PointData& data) const;

  const Discretization& d_;
  Dtype precision_;
  /// [right-handed, mirrored elements] the matrix that interpolates to VTK's nodes, and the numbers of these elements.
  std::array<Eigen::MatrixXd, 2> P_;
  std::array<std::vector<std::size_t>, 2> of_handedness_;
  VtuGrid grid_;
};

/// The arrays that files have of point data.
[[nodiscard]] std::vector<VtuGrid::PointArray> arrays_of(std::span<const VtkWriter::PointData> point_data);

/// [cell] the cell data `region` of cells in these elements, and, if fields are complex, `imaginary`: elements of real
/// and imaginary parts have the same positions.
[[nodiscard]] std::vector<VtuGrid::IntegerCellData> region_data(const Discretization& discretization,
                                                                std::span<const std::size_t> elements);

}  // namespace maxwell_dg::dg
