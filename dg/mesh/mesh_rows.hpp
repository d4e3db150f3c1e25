#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// A mesh that is had by pieces, for a process that is not to hold all of it: rows as a file has them
/// (docs/mesh_format.md), in any order, not checked and not prepared but for numbers of regions and surfaces.
class MeshRows {
 public:
  struct Content {
    std::string origin;  ///< names the mesh in errors
    std::size_t vertices{}, cells{}, surface_faces{}, curved_cells{};
    int curved_order = 1;
    std::vector<std::string> regions, surfaces, cell_values, vertex_values;  ///< names
  };
  struct Piece {
    std::size_t first{}, count{};
  };

  MeshRows() = default;
  MeshRows(const MeshRows&) = delete;
  MeshRows& operator=(const MeshRows&) = delete;
  virtual ~MeshRows() = default;

  Content content;

  // All of these throw MeshError where the file is damaged.
  [[nodiscard]] virtual std::vector<Point> vertices(Piece piece) const = 0;
  [[nodiscard]] virtual std::vector<std::array<std::int32_t, 4>> cells(Piece piece) const = 0;
  [[nodiscard]] virtual std::vector<std::int32_t> cell_region(Piece piece) const = 0;
  [[nodiscard]] virtual std::vector<Mesh::SurfaceFace> surface_faces(Piece piece) const = 0;
  /// Numbers of cells; `curved_nodes`: [curved cell][node] of so many of them.
  [[nodiscard]] virtual std::vector<std::int32_t> curved_cells(Piece piece) const = 0;
  [[nodiscard]] virtual std::vector<Point> curved_nodes(Piece piece) const = 0;
  [[nodiscard]] virtual std::vector<double> cell_values(const std::string& name, Piece piece) const = 0;
  [[nodiscard]] virtual std::vector<double> vertex_values(const std::string& name, Piece piece) const = 0;
};

/// Of an HDF5 file, its lengths times `scale`. Throws MeshError as read_mesh does, for what is seen without reading
/// rows.
[[nodiscard]] std::unique_ptr<const MeshRows> open_mesh(const std::filesystem::path& file, double scale = 1);

/// Of the box that make_box makes, before it is prepared. Throws as make_box does.
[[nodiscard]] std::unique_ptr<const MeshRows> rows_of(const Box& box);

}  // namespace maxwell_dg::dg
