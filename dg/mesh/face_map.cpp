#include "dg/mesh/face_map.hpp"

#include <cstddef>

#include <Eigen/Dense>

#include "dg/reference/element_quadrature.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {
namespace {

using Vector = Eigen::Vector3d;

Point point(const Vector& v) {
  return {v[0], v[1], v[2]};
}

/// d(r, s, t) of the cell along the edge of its reference tetrahedron between two vertices, divided by two.
Vector reference_edge(std::size_t from, std::size_t to) {
  Vector edge = Vector::Zero();
  if (to > 0) edge(static_cast<Eigen::Index>(to) - 1) += 1;
  if (from > 0) edge(static_cast<Eigen::Index>(from) - 1) -= 1;
  return edge;
}

}  // namespace

FaceMap::FaceMap(const Mesh& mesh, const TriangleQuadrature& points) : mesh_(mesh), r_(points.r), s_(points.s) {
  for (int face = 0; mesh.curved.any() && face < ReferenceElement::Nfaces; ++face) {
    curved_.emplace_back(mesh.curved.order, ElementQuadrature::points_on_face(points, face));
  }
}

std::vector<FaceMap::At> FaceMap::at(const ElementFace& f) const {
  const auto& corners = face_vertices.at(static_cast<std::size_t>(f.face));
  std::vector<At> result;
  if (mesh_.curved.is_curved(f.element)) {
    const CurvedMap& map = curved_[static_cast<std::size_t>(f.face)];
    const auto nodes = mesh_.curved.nodes_of(f.element);
    const std::vector<Point> x = map.positions(nodes);
    const std::vector<Eigen::Matrix3d> jacobians = map.jacobians(nodes);
    for (std::size_t p = 0; p < x.size(); ++p) {
      result.push_back({x[p], point(jacobians[p] * reference_edge(corners[0], corners[1])),
                        point(jacobians[p] * reference_edge(corners[0], corners[2]))});
    }
    return result;
  }
  const auto vertex = [&](std::size_t i) {
    return Vector(mesh_.vertices[index(mesh_.cells[f.element].at(corners.at(i)))].data());
  };
  const Vector v0 = vertex(0), v1 = vertex(1), v2 = vertex(2);
  const Point by_r = point((v1 - v0) / 2), by_s = point((v2 - v0) / 2);
  for (std::size_t p = 0; p < r_.size(); ++p) {
    const double b = (1 + r_[p]) / 2, c = (1 + s_[p]) / 2;
    result.push_back({point((1 - b - c) * v0 + b * v1 + c * v2), by_r, by_s});
  }
  return result;
}

std::vector<double> area_weights(const std::vector<FaceMap::At>& at, const TriangleQuadrature& points) {
  std::vector<double> weights;
  for (std::size_t p = 0; p < at.size(); ++p) {
    weights.push_back(points.weights[p] * length(cross(at[p].by_r, at[p].by_s)));
  }
  return weights;
}

}  // namespace maxwell_dg::dg
