#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "core/dtype.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/observe/files/vtk_writer.hpp"
#include "dg/observe/files/vtu_grid.hpp"

namespace maxwell_dg::dg {

/// [face][node] unit normals at the points of a SurfaceGrid, out of the elements.
[[nodiscard]] std::vector<Point> surface_normals(const Discretization& discretization,
                                                 const std::vector<ElementFace>& faces);

/// Writes some faces of a mesh as .vtu files of Lagrange triangles of the discretization's order. Triangles share no
/// nodes.
class SurfaceGrid {
 public:
  /// `surface`: [face] a number that is written as cell data `surface`, besides region_data of the face's element.
  /// Files show all `parts` of the whole. The discretization must outlive the grid.
  SurfaceGrid(const Discretization& discretization, const std::vector<ElementFace>& faces,
              const std::vector<int>& surface, Dtype precision, const std::vector<MirroredPart>& parts = {{}});

  /// [face][node] the points at which fields are needed: VTK's equispaced nodes of each triangle, in VTK's order.
  [[nodiscard]] const std::vector<PointLocation>& points() const { return nodes_; }
  /// [face][node] the positions of these points; `mesh` is the discretization's.
  [[nodiscard]] std::vector<Point> positions(const Mesh& mesh) const;
  /// `values`: [node][field] with `field_count` fields. Writes the file atomically. Throws OutputError.
  void write(const std::filesystem::path& file, std::span<const double> values, int field_count,
             std::span<const VtkWriter::PointData> point_data);
  /// Writes the .pvtu file of several such files, see VtuGrid::write_pieces.
  void write_pieces(const std::filesystem::path& file, std::span<const VtkWriter::PointData> point_data,
                    std::span<const std::string> pieces) const {
    grid_.write_pieces(file, arrays_of(point_data), pieces);
  }

 private:
  template <class T>
  void add(VtuArrays& arrays, std::span<const double> values, int field_count, const VtkWriter::PointData& data) const;

  std::vector<PointLocation> nodes_;
  Dtype precision_;
  VtuGrid grid_;
};

}  // namespace maxwell_dg::dg
