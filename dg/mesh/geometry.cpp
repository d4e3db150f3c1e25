#include "dg/mesh/geometry.hpp"

#include <cmath>

namespace maxwell_dg::dg {
namespace {

/// A face from the gradient of the reference coordinate that grows outwards through it, e.g. -t for face 0. The
/// gradient is a vector in physical space, so it points outwards whatever the sign of J. Its length is Fscale.
Geometry::Face face_of(const Point& outward) {
  const double length = std::sqrt(dot(outward, outward));
  return {outward[0] / length, outward[1] / length, outward[2] / length, length};
}

}  // namespace

std::array<Geometry::Face, 4> faces_of(const std::array<double, 9>& g) {
  const Point sum{g[0] + g[3] + g[6], g[1] + g[4] + g[7], g[2] + g[5] + g[8]};
  return {face_of({-g[6], -g[7], -g[8]}), face_of({-g[3], -g[4], -g[5]}), face_of(sum), face_of({-g[0], -g[1], -g[2]})};
}

Geometry Geometry::make(const Mesh& mesh) {
  const std::size_t K = mesh.cells.size();
  Geometry geometry;
  geometry.metric.resize(K);
  geometry.J.resize(K);
  geometry.faces.resize(K);
  for (std::size_t k = 0; k < K; ++k) {
    const auto& cell = mesh.cells[k];
    const Point& origin = mesh.vertices[cell[0]];
    // x = v0 + (1 + r)/2 (v1 - v0) + ...: the Jacobian's columns are half the edges from v0.
    const Point a = minus(mesh.vertices[cell[1]], origin);
    const Point b = minus(mesh.vertices[cell[2]], origin);
    const Point c = minus(mesh.vertices[cell[3]], origin);
    const Point bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    const double volume6 = dot(a, bc);
    const double scale = 2 / volume6;
    const Point grad_r{scale * bc[0], scale * bc[1], scale * bc[2]};
    const Point grad_s{scale * ca[0], scale * ca[1], scale * ca[2]};
    const Point grad_t{scale * ab[0], scale * ab[1], scale * ab[2]};

    geometry.J[k] = volume6 / 8;
    geometry.metric[k] = {grad_r[0], grad_r[1], grad_r[2], grad_s[0], grad_s[1],
                          grad_s[2], grad_t[0], grad_t[1], grad_t[2]};
    geometry.faces[k] = faces_of(geometry.metric[k]);
  }
  return geometry;
}

Point reference_coordinates(const Mesh& mesh, const Geometry& geometry, std::size_t cell, const Point& x) {
  const Point& v0 = mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][0])];
  const std::array<double, 9>& m = geometry.metric[cell];
  Point rst{};
  for (std::size_t d = 0; d < 3; ++d) {
    rst[d] = -1 + m[3 * d] * (x[0] - v0[0]) + m[3 * d + 1] * (x[1] - v0[1]) + m[3 * d + 2] * (x[2] - v0[2]);
  }
  return rst;
}

double inscribed_radius(const Geometry& geometry, std::size_t cell) {
  return inscribed_radius(geometry.faces[cell]);
}

double inscribed_radius(const std::array<Geometry::Face, 4>& faces) {
  // area_f = 2 sJ = 2 Fscale |J| and volume = 4/3 |J|, so |J| cancels.
  double sum = 0;
  for (const auto& face : faces) sum += face.Fscale;
  return 2 / sum;
}

}  // namespace maxwell_dg::dg
