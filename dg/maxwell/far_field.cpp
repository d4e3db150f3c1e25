#include "dg/maxwell/far_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "core/in_parallel.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/maxwell/along_faces.hpp"
#include "dg/mesh/face_map.hpp"
#include "dg/reference/face_interpolation.hpp"
#include "dg/reference/gauss_legendre.hpp"
#include "dg/reference/triangle_quadrature.hpp"

namespace maxwell_dg::dg::maxwell {

namespace {

using Complex = std::complex<double>;
using RealVector = Eigen::Vector3d;
using ComplexVector = Eigen::Vector3cd;

/// Eigen's own product of complex vectors is conjugated.
ComplexVector cross_complex(const RealVector& a, const ComplexVector& b) {
  return a.cross(RealVector(b.real())).cast<Complex>() + Complex(0, 1) * a.cross(RealVector(b.imag())).cast<Complex>();
}

/// A point of a face, and its share of the face: normal out of what is enclosed, as long as the share's area.
struct FacePoint {
  RealVector x, outward;
};

std::array<RealVector, 3> vertices_of(const Discretization& d, const ElementFace& f) {
  std::array<RealVector, 3> vertices;
  for (std::size_t v = 0; v < 3; ++v) {
    const std::size_t corner = face_vertices[static_cast<std::size_t>(f.face)][v];
    vertices[v] = RealVector(d.mesh.vertices[static_cast<std::size_t>(d.mesh.cells[f.element][corner])].data());
  }
  return vertices;
}

/// [point] The normal of a curved face is the product of its tangents, on the side where the straight one has it.
std::vector<FacePoint> points_of(const Discretization& d, const ElementFace& f, const TriangleQuadrature& points,
                                 const FaceMap& map) {
  const bool is_curved = d.mesh.curved.is_curved(f.element);
  const Geometry::Face& face = d.geometry.faces[f.element][static_cast<std::size_t>(f.face)];
  const RealVector outward = -RealVector(face.nx, face.ny, face.nz);
  const auto vertices = vertices_of(d, f);
  const double side = (vertices[1] - vertices[0]).cross(vertices[2] - vertices[0]).dot(outward) < 0 ? -1 : 1;
  const std::vector<FaceMap::At> at = map.at(f);
  std::vector<FacePoint> result;
  for (std::size_t p = 0; p < at.size(); ++p) {
    const RealVector normal = RealVector(at[p].by_r.data()).cross(RealVector(at[p].by_s.data()));
    const RealVector share = is_curved ? RealVector(side * normal) : RealVector(normal.norm() * outward);
    result.push_back({RealVector(at[p].x.data()), points.weights[p] * share});
  }
  return result;
}

/// The extra degree of the normals of curved faces, products of two tangents.
int degree_of_normals(const Discretization& d) {
  return 2 * (d.mesh.curved.order - 1);
}

/// Calls visit(point, E, H) for all points of all faces; on curved ones with the fields along the face alone.
template <class Visit>
void for_each_point(const Discretization& d, std::span<const ElementFace> faces, std::span<const Complex> traces,
                    int degree, const Visit& visit) {
  const Eigen::Index Nfp = d.Nfp();
  if (traces.size() != faces.size() * static_cast<std::size_t>(6 * Nfp)) {
    throw std::invalid_argument("far_field: six fields at every node of every face are needed");
  }
  const TriangleQuadrature points = TriangleQuadrature::exact_to(degree);
  const Eigen::MatrixXd to_points = face_interpolation(d.reference, points);
  const FaceMap map(d.mesh, points), node_map(d.mesh, face_nodes_of(d.reference));
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::vector<FacePoint> on_face = points_of(d, faces[f], points, map);
    const Eigen::Map<const Eigen::MatrixXcd> nodal(&traces[f * static_cast<std::size_t>(6 * Nfp)], Nfp, 6);
    Eigen::MatrixXcd fields = to_points * nodal;
    if (d.mesh.curved.is_curved(faces[f].element)) {
      const Eigen::MatrixXd along = along_curved_face(node_map.at(faces[f]), map.at(faces[f]), to_points);
      for (const Eigen::Index field : {0, 3}) {
        const Eigen::MatrixXcd by_node = nodal.middleCols(field, 3).transpose();
        const Eigen::VectorXcd by_point = along * by_node.reshaped();
        fields.middleCols(field, 3) = by_point.reshaped(3, fields.rows()).transpose();
      }
    }
    for (std::size_t p = 0; p < on_face.size(); ++p) {
      const auto row = static_cast<Eigen::Index>(p);
      visit(on_face[p], ComplexVector(fields.row(row).head<3>()), ComplexVector(fields.row(row).tail<3>()));
    }
  }
}

double longest_edge(const Discretization& d, std::span<const ElementFace> faces) {
  double longest = 0;
  for (const ElementFace& f : faces) {
    const auto vertices = vertices_of(d, f);
    for (std::size_t v = 0; v < 3; ++v) longest = std::max(longest, (vertices[v] - vertices[(v + 1) % 3]).norm());
  }
  return longest;
}

/// The degree that exp(j z x), -1 <= x <= 1, takes: its Chebyshev coefficients are below 2 (z/2)^m / m!.
int degree_of_phase(double z) {
  int degree = 1;
  for (double bound = z; bound > 1e-11; bound *= z / 2 / degree) ++degree;
  return degree;
}

template <class Vector>
Vector times(const std::array<double, 3>& factors, const Vector& v) {
  return Vector(factors[0] * v[0], factors[1] * v[1], factors[2] * v[2]);
}

/// A part of the whole: where x of the surface is, and the factors of its fields.
struct Image {
  MirrorImage factors;
  RealVector shift;

  [[nodiscard]] RealVector position(const RealVector& x) const { return times(factors.position, x) + shift; }
};

/// Those of planes of symmetry, and with a ground each mirrored in that, too.
std::vector<Image> all_images(const Surroundings& around) {
  std::vector<Image> images;
  for (const MirrorImage& factors : around.images) images.push_back({factors, RealVector::Zero()});
  if (!around.ground) return images;
  const SymmetryPlane plane{.axis = around.ground->axis, .kind = SymmetryPlane::Kind::electric};
  const MirrorImage mirrored = mirror_images(std::span(&plane, 1)).back();
  RealVector shift = RealVector::Zero();
  shift[static_cast<Eigen::Index>(plane.axis)] = 2 * around.ground->at;
  for (std::size_t i = 0, count = images.size(); i < count; ++i) {
    Image image{images[i].factors, shift};
    for (std::size_t c = 0; c < 3; ++c) {
      image.factors.position.at(c) *= mirrored.position.at(c);
      image.factors.E.at(c) *= mirrored.E.at(c);
      image.factors.H.at(c) *= mirrored.H.at(c);
    }
    images.push_back(image);
  }
  return images;
}

/// Of a sphere around all faces and their images. Collective.
double radius_of(const Discretization& d, std::span<const ElementFace> faces, const std::vector<Image>& images,
                 const core::Communicator& ranks) {
  Eigen::AlignedBox3d box;
  for (const ElementFace& f : faces) {
    for (const RealVector& v : vertices_of(d, f)) {
      for (const Image& image : images) box.extend(image.position(v));
    }
  }
  ranks.min({box.min().data(), 3});
  ranks.max({box.max().data(), 3});
  return box.isEmpty() ? 0.0 : box.diagonal().norm() / 2;
}

RealVector unit_vector(const Direction& direction) {
  const double st = std::sin(direction.theta);
  return {st * std::cos(direction.phi), st * std::sin(direction.phi), std::cos(direction.theta)};
}

std::array<Complex, 3> components(const ComplexVector& v) {
  return {v[0], v[1], v[2]};
}

}  // namespace

RadiatingSurface::RadiatingSurface(const Discretization& d, std::span<const ElementFace> faces, double omega,
                                   std::span<const Complex> traces, const Surroundings& around,
                                   const core::Communicator& ranks)
    : k_(omega * around.medium.refractive_index()),
      Z_(around.medium.impedance()),
      ground_(around.ground),
      ranks_(ranks) {
  const std::vector<Image> images = all_images(around);
  radius_ = radius_of(d, faces, images, ranks);
  const int degree =
      d.N() + degree_of_phase(k_ * core::largest_of(ranks, longest_edge(d, faces)) / 2) + degree_of_normals(d);
  for_each_point(d, faces, traces, degree, [&](const FacePoint& at, const ComplexVector& E, const ComplexVector& H) {
    for (const Image& image : images) {
      const RealVector n = times(image.factors.position, at.outward), x = image.position(at.x);
      points_.push_back({{x[0], x[1], x[2]},
                         components(cross_complex(n, times(image.factors.H, H))),
                         components(-cross_complex(n, times(image.factors.E, E)))});
    }
  });
}

FarField RadiatingSurface::towards(const Direction& direction) const {
  const double ct = std::cos(direction.theta), st = std::sin(direction.theta);
  const double cp = std::cos(direction.phi), sp = std::sin(direction.phi);
  const RealVector r(st * cp, st * sp, ct), theta(ct * cp, ct * sp, -st), phi(-sp, cp, 0);
  ComplexVector N = ComplexVector::Zero(), L = ComplexVector::Zero();
  for (const WeightedCurrents& point : points_) {
    const double angle = k_ * r.dot(RealVector(point.x.data()));
    const Complex phase(std::cos(angle), std::sin(angle));
    N += phase * ComplexVector(point.J.data());
    L += phase * ComplexVector(point.M.data());
  }
  const Complex factor(0, k_ / (4 * std::numbers::pi));
  const auto along = [](const RealVector& axis, const ComplexVector& v) -> Complex {
    return axis.cast<Complex>().dot(v);
  };
  return {-factor * (along(phi, L) + Z_ * along(theta, N)), factor * (along(theta, L) - Z_ * along(phi, N))};
}

std::vector<FarField> RadiatingSurface::with_image(std::span<const Direction> directions) const {
  std::vector<FarField> result(directions.size());
  for_each_in_parallel(directions.size(), [&](std::size_t i) { result[i] = towards(directions[i]); });
  std::vector<double> parts;
  for (const auto& [E_theta, E_phi] : result) {
    parts.insert(parts.end(), {E_theta.real(), E_theta.imag(), E_phi.real(), E_phi.imag()});
  }
  ranks_.sum(parts);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = {{parts[4 * i], parts[4 * i + 1]}, {parts[4 * i + 2], parts[4 * i + 3]}};
  }
  return result;
}

std::vector<FarField> RadiatingSurface::far_field(std::span<const Direction> directions) const {
  std::vector<FarField> result = with_image(directions);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!is_above_ground(directions[i])) result[i] = {};
  }
  return result;
}

FarSphere RadiatingSurface::sphere() const {
  const int order = multipole_order();
  const GaussLegendre cosines = GaussLegendre::make(order + 1);  // |E|^2 has twice the order
  const int meridians = 2 * order + 1;
  FarSphere sphere;
  for (Eigen::Index i = 0; i < cosines.x.size(); ++i) {
    for (int j = 0; j < meridians; ++j) {
      sphere.directions.push_back({std::acos(cosines.x[i]), 2 * std::numbers::pi * j / meridians});
      sphere.weights.push_back(cosines.weights[i] * 2 * std::numbers::pi / meridians);
    }
  }
  sphere.fields = with_image(sphere.directions);
  return sphere;
}

double RadiatingSurface::radiated_power(const FarSphere& sphere) const {
  double power = 0;
  for (std::size_t i = 0; i < sphere.fields.size(); ++i) power += sphere.weights[i] * intensity(sphere.fields[i]);
  return ground_ ? power / 2 : power;
}

double RadiatingSurface::intensity(const FarField& field) const {
  return (std::norm(field.E_theta) + std::norm(field.E_phi)) / (2 * Z_);
}

bool RadiatingSurface::is_above_ground(const Direction& direction) const {
  constexpr double grazing = 1e-9;
  return !ground_ || ground_->side * unit_vector(direction)[static_cast<Eigen::Index>(ground_->axis)] > -grazing;
}

/// Multipoles that sources within k r = x radiate (Wiscombe, Appl. Opt. 19, 1980), and some more.
int RadiatingSurface::multipole_order() const {
  const double x = k_ * radius_;
  return static_cast<int>(std::ceil(x + 4 * std::cbrt(x))) + 6;
}

}  // namespace maxwell_dg::dg::maxwell
