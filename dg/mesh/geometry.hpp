#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Metric of the affine map from the reference tetrahedron to each cell.
struct Geometry {
  struct Face {
    double nx, ny, nz;  ///< outward unit normal
    double Fscale;      ///< sJ / |J|: surface over volume Jacobian; 2 / height of the cell over this face
  };

  std::vector<std::array<double, 9>> metric;  ///< [cell] rx ry rz sx sy sz tx ty tz
  std::vector<double> J;                      ///< [cell] signed: the mapping's determinant; volume = |J| 4/3
  std::vector<std::array<Face, 4>> faces;     ///< [cell][face]

  [[nodiscard]] static Geometry make(const Mesh& mesh);
};

/// [face] normals and Fscale where the gradients are these.
[[nodiscard]] std::array<Geometry::Face, 4> faces_of(const std::array<double, 9>& gradients);

/// (r, s, t) of a point in the own coordinates of the straight cell with a cell's vertices, also of one outside.
[[nodiscard]] Point reference_coordinates(const Mesh& mesh, const Geometry& geometry, std::size_t cell, const Point& x);

/// Radius of the largest sphere inside the straight cell with a cell's vertices: 3 volume / area of its surface.
[[nodiscard]] double inscribed_radius(const Geometry& geometry, std::size_t cell);
/// The same from the faces of a cell.
[[nodiscard]] double inscribed_radius(const std::array<Geometry::Face, 4>& faces);

/// The cell that holds a point, with its reference coordinates (r, s, t).
struct PointLocation {
  /// In place of a cell: of a part of a mesh, another rank has it.
  static constexpr std::size_t elsewhere = std::numeric_limits<std::size_t>::max();
  std::size_t cell{};
  Point rst{};
};

/// Where in space that is, of straight and of curved cells.
[[nodiscard]] Point position_of(const Mesh& mesh, const PointLocation& location);

/// The reference coordinates of a point in a straight or a curved cell; nothing where the cell, its surface included,
/// does not hold it. All cells at a face, an edge or a vertex hold its points.
[[nodiscard]] std::optional<Point> coordinates_within(const Mesh& mesh, const Geometry& geometry, std::size_t cell,
                                                      const Point& x);

/// Finds cells by point; points on a face go to one of its cells, points outside to none. Refers to the mesh and the
/// geometry, which must outlive it. A query costs O(log K), and some steps of Newton's method in each curved cell near
/// the point.
class PointLocator {
 public:
  PointLocator(const Mesh& mesh, const Geometry& geometry) : PointLocator(mesh, geometry, mesh.cells.size()) {}
  /// Looks in the first `cells` alone: the own ones of a part of a mesh.
  PointLocator(const Mesh& mesh, const Geometry& geometry, std::size_t cells);
  ~PointLocator();
  PointLocator(PointLocator&&) noexcept;
  [[nodiscard]] std::optional<PointLocation> locate(const Point& point) const;

 private:
  struct Search;
  const Mesh& mesh_;
  const Geometry& geometry_;
  std::unique_ptr<const Search> search_;
};

}  // namespace maxwell_dg::dg
