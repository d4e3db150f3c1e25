#pragma once

#include <optional>
#include <vector>

#include "dg/mesh/curved/curved_map.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/triangle_quadrature.hpp"

namespace maxwell_dg::dg {

/// The maps of faces, of straight cells and of curved ones, at some points of the reference triangle, the same ones on
/// every face. Its coordinates r and s run along the edges from a face's first vertex to the others. Refers to the
/// mesh, which must outlive it.
class FaceMap {
 public:
  struct At {
    Point x;
    Point by_r, by_s;  ///< tangents: the length of their product is the area of a unit of the reference triangle
  };

  FaceMap(const Mesh& mesh, const TriangleQuadrature& points);

  /// [point]
  [[nodiscard]] std::vector<At> at(const ElementFace& face) const;

 private:
  const Mesh& mesh_;
  std::vector<double> r_, s_;
  std::vector<CurvedMap> curved_;  ///< [face of a cell]; none where all cells are straight
};

/// Sums up to the area of a face, in the plane or not: the weights of the points times the area there.
[[nodiscard]] std::vector<double> area_weights(const std::vector<FaceMap::At>& at, const TriangleQuadrature& points);

}  // namespace maxwell_dg::dg
