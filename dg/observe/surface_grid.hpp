#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "core/dtype.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/observe/vtk_writer.hpp"
#include "dg/operator/discretization.hpp"

namespace maxwell_dg::dg {

/// Some faces of a mesh as a .vtu file of Lagrange triangles of the discretization's order, each with points of its
/// own. It is written without VTK's library, so that a machine without it can write it, too.
class SurfaceGrid {
 public:
  /// `surface`: [face] written as cell data `surface`, besides `region` of the element that sees the face, and
  /// `imaginary` where the mesh is_twice.
  SurfaceGrid(const Discretization& discretization, const std::vector<ElementFace>& faces,
              const std::vector<int>& surface, Dtype precision);

  /// [face][point] where fields are wanted: VTK's equispaced points of each triangle, in VTK's order.
  [[nodiscard]] const std::vector<PointLocation>& points() const { return points_; }
  /// `values`: [point][field] with `field_count` fields. The file appears whole or not at all: OutputError.
  void write(const std::filesystem::path& file, std::span<const double> values, int field_count,
             std::span<const VtkWriter::PointData> point_data) const;

 private:
  template <class T>
  void write_as(std::ostream& stream, std::span<const double> values, int field_count,
                std::span<const VtkWriter::PointData> point_data) const;

  std::vector<PointLocation> points_;
  std::vector<double> positions_;               ///< [point][axis]
  std::vector<std::int32_t> surface_, region_;  ///< [face]
  std::vector<std::int32_t> imaginary_;         ///< [face] 0 or 1 where fields are complex, else empty
  Dtype precision_;
};

/// Barycentric coordinates, times N, of the points of a Lagrange triangle in VTK's order: vertices, then the edges 01,
/// 12, 20, then those inside as a triangle of order N - 3. (N+1)(N+2)/2 of them.
[[nodiscard]] std::vector<std::array<int, 3>> lagrange_triangle_points(int N);

}  // namespace maxwell_dg::dg
