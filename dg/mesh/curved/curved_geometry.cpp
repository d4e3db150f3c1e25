#include "dg/mesh/curved/curved_geometry.hpp"

#include <Eigen/Dense>

#include "dg/mesh/curved/curved_map.hpp"

namespace maxwell_dg::dg {

CurvedGeometry::Gradients gradients_of(const Eigen::Matrix3d& jacobian) {
  CurvedGeometry::Gradients gradients{};
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(gradients.data()) = jacobian.inverse();
  return gradients;
}

CurvedGeometry CurvedGeometry::make(const Mesh& mesh, const ReferenceElement& reference) {
  CurvedGeometry geometry{.quadrature = ElementQuadrature::make(reference)};
  std::vector<Point> nodes;
  for (int i = 0; i < reference.Np; ++i) nodes.push_back({reference.r(i), reference.s(i), reference.t(i)});
  const int order = mesh.curved.order;
  const CurvedMap at_nodes(order, nodes), in_volume(order, geometry.quadrature.points_in_volume());
  std::vector<CurvedMap> on_face;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    on_face.emplace_back(order, geometry.quadrature.points_on_face(face));
  }
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (!mesh.curved.is_curved(k)) continue;
    const auto cell = mesh.curved.nodes_of(k);
    for (const Point& x : at_nodes.positions(cell)) geometry.node_positions.push_back(x);
    for (const auto& jacobian : at_nodes.jacobians(cell)) geometry.at_nodes.push_back(gradients_of(jacobian));
    for (const Point& x : in_volume.positions(cell)) geometry.volume_positions.push_back(x);
    for (const auto& jacobian : in_volume.jacobians(cell)) geometry.at_volume_points.push_back(gradients_of(jacobian));
    for (std::size_t face = 0; face < on_face.size(); ++face) {
      const auto positions = on_face[face].positions(cell);
      const auto jacobians = on_face[face].jacobians(cell);
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const Gradients gradients = gradients_of(jacobians[i]);
        geometry.at_face_points.push_back({gradients, faces_of(gradients)[face], positions[i]});
      }
    }
  }
  return geometry;
}

double determinant(const CurvedGeometry::Gradients& g) {
  return 1 / dot({g[0], g[1], g[2]}, cross({g[3], g[4], g[5]}, {g[6], g[7], g[8]}));
}

}  // namespace maxwell_dg::dg
