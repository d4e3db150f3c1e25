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

/// Some faces of a mesh as .vtu files of Lagrange triangles of the discretization's order, each with nodes of its own.
class SurfaceGrid {
 public:
  /// `surface`: [face] written as cell data `surface`, besides region_data of the element that sees the face.
  SurfaceGrid(const Discretization& discretization, const std::vector<ElementFace>& faces,
              const std::vector<int>& surface, Dtype precision);

  /// [face][node] where fields are wanted: VTK's equispaced nodes of each triangle, in VTK's order.
  [[nodiscard]] const std::vector<PointLocation>& points() const { return nodes_; }
  /// [face][node] where these are, in the discretization's mesh.
  [[nodiscard]] std::vector<Point> positions(const Mesh& mesh) const;
  /// `values`: [node][field] with `field_count` fields. The file appears whole or not at all: OutputError.
  void write(const std::filesystem::path& file, std::span<const double> values, int field_count,
             std::span<const VtkWriter::PointData> point_data) const;

 private:
  template <class T>
  void add(VtuArrays& arrays, std::span<const double> values, int field_count, const VtkWriter::PointData& data) const;

  std::vector<PointLocation> nodes_;
  Dtype precision_;
  VtuGrid grid_;
};

}  // namespace maxwell_dg::dg
