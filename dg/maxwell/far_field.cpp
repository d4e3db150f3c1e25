#include "dg/maxwell/far_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "core/in_parallel.hpp"
#include "dg/reference/gauss_legendre.hpp"
#include "dg/reference/orthonormal_basis.hpp"
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

/// A quadrature point of the surface, its weight within the fields.
struct SurfacePoint {
  RealVector x;
  ComplexVector J, M;
};

/// Nodal values of a face to values at the points: [point, face node].
Eigen::MatrixXd interpolation(const ReferenceElement& reference, const TriangleQuadrature& points) {
  const auto count = static_cast<Eigen::Index>(points.r.size());
  Eigen::MatrixXd at_nodes(reference.Nfp, reference.Nfp), at_points(count, reference.Nfp);
  for (int i = 0; i < reference.Nfp; ++i) {  // of face 0, whose plane coordinates are r and s
    const int node = reference.Fmask(i, 0);
    at_nodes.row(i) = triangle_modes(reference.N, reference.r[node], reference.s[node]);
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto p = static_cast<std::size_t>(i);
    at_points.row(i) = triangle_modes(reference.N, points.r[p], points.s[p]);
  }
  return at_points * at_nodes.inverse();
}

struct FaceShape {
  std::array<RealVector, 3> vertices;
  RealVector outward;  // unit, out of what is enclosed
  double area;
};
FaceShape shape_of(const Discretization& d, const ElementFace& f) {
  FaceShape shape;
  for (std::size_t v = 0; v < 3; ++v) {
    const std::size_t corner = face_vertices[static_cast<std::size_t>(f.face)][v];
    shape.vertices[v] = RealVector(d.mesh.vertices[static_cast<std::size_t>(d.mesh.cells[f.element][corner])].data());
  }
  const Geometry::Face& face = d.geometry.faces[f.element][static_cast<std::size_t>(f.face)];
  shape.outward = -RealVector(face.nx, face.ny, face.nz);
  shape.area = (shape.vertices[1] - shape.vertices[0]).cross(shape.vertices[2] - shape.vertices[0]).norm() / 2;
  return shape;
}

/// Calls visit(shape, point, weight, E, H) for all points of all faces.
template <class Visit>
void for_each_point(const Discretization& d, std::span<const ElementFace> faces, std::span<const Complex> traces,
                    int degree, const Visit& visit) {
  const Eigen::Index Nfp = d.Nfp();
  if (traces.size() != faces.size() * static_cast<std::size_t>(6 * Nfp)) {
    throw std::invalid_argument("far_field: six fields at every node of every face are needed");
  }
  const TriangleQuadrature points = TriangleQuadrature::exact_to(degree);
  const Eigen::MatrixXd to_points = interpolation(d.reference, points);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const FaceShape shape = shape_of(d, faces[f]);
    const Eigen::Map<const Eigen::MatrixXcd> nodal(&traces[f * static_cast<std::size_t>(6 * Nfp)], Nfp, 6);
    const Eigen::MatrixXcd fields = to_points * nodal;
    for (std::size_t p = 0; p < points.r.size(); ++p) {
      const double b = (1 + points.r[p]) / 2, c = (1 + points.s[p]) / 2;
      const auto row = static_cast<Eigen::Index>(p);
      visit(shape, RealVector((1 - b - c) * shape.vertices[0] + b * shape.vertices[1] + c * shape.vertices[2]),
            points.weights[p] * shape.area / 2, ComplexVector(fields.row(row).head<3>()),
            ComplexVector(fields.row(row).tail<3>()));
    }
  }
}

double longest_edge(const Discretization& d, std::span<const ElementFace> faces) {
  double longest = 0;
  for (const ElementFace& f : faces) {
    const FaceShape shape = shape_of(d, f);
    for (std::size_t v = 0; v < 3; ++v) {
      longest = std::max(longest, (shape.vertices[v] - shape.vertices[(v + 1) % 3]).norm());
    }
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

/// Of a sphere around all faces and their images.
double radius(const Discretization& d, std::span<const ElementFace> faces, std::span<const MirrorImage> images) {
  Eigen::AlignedBox3d box;
  for (const ElementFace& f : faces) {
    for (const RealVector& v : shape_of(d, f).vertices) {
      for (const MirrorImage& image : images) box.extend(times(image.position, v));
    }
  }
  return box.isEmpty() ? 0.0 : box.diagonal().norm() / 2;
}

/// Multipoles that sources within k r = x radiate (Wiscombe, Appl. Opt. 19, 1980), and some more.
int multipole_order(double x) {
  return static_cast<int>(std::ceil(x + 4 * std::cbrt(x))) + 6;
}

FarField towards(const Direction& direction, double k, std::span<const SurfacePoint> surface) {
  const double ct = std::cos(direction.theta), st = std::sin(direction.theta);
  const double cp = std::cos(direction.phi), sp = std::sin(direction.phi);
  const RealVector r(st * cp, st * sp, ct), theta(ct * cp, ct * sp, -st), phi(-sp, cp, 0);
  ComplexVector N = ComplexVector::Zero(), L = ComplexVector::Zero();
  for (const SurfacePoint& point : surface) {
    const double angle = k * r.dot(point.x);
    const Complex phase(std::cos(angle), std::sin(angle));
    N += phase * point.J;
    L += phase * point.M;
  }
  const Complex factor(0, k / (4 * std::numbers::pi));
  const auto along = [](const RealVector& axis, const ComplexVector& v) -> Complex {
    return axis.cast<Complex>().dot(v);
  };
  return {-factor * (along(phi, L) + along(theta, N)), factor * (along(theta, L) - along(phi, N))};
}

}  // namespace

std::vector<FarField> far_field(const Discretization& d, std::span<const ElementFace> faces, double k,
                                std::span<const Complex> traces, std::span<const Direction> directions,
                                std::span<const MirrorImage> images) {
  std::vector<SurfacePoint> surface;
  for_each_point(
      d, faces, traces, d.N() + degree_of_phase(k * longest_edge(d, faces) / 2),
      [&](const FaceShape& shape, const RealVector& x, double weight, const ComplexVector& E, const ComplexVector& H) {
        for (const MirrorImage& image : images) {
          const RealVector n = weight * times(image.position, shape.outward);
          surface.push_back(
              {times(image.position, x), cross_complex(n, times(image.H, H)), -cross_complex(n, times(image.E, E))});
        }
      });
  std::vector<FarField> result(directions.size());
  for_each_in_parallel(directions.size(), [&](std::size_t i) { result[i] = towards(directions[i], k, surface); });
  return result;
}

double radiated_power(const Discretization& d, std::span<const ElementFace> faces, double k,
                      std::span<const Complex> traces, std::span<const MirrorImage> images) {
  const int order = multipole_order(k * radius(d, faces, images));
  const GaussLegendre cosines = GaussLegendre::make(order + 1);  // |E|^2 has twice the order
  const int meridians = 2 * order + 1;
  std::vector<Direction> directions;
  std::vector<double> weights;
  for (Eigen::Index i = 0; i < cosines.x.size(); ++i) {
    for (int j = 0; j < meridians; ++j) {
      directions.push_back({std::acos(cosines.x[i]), 2 * std::numbers::pi * j / meridians});
      weights.push_back(cosines.weights[i] * 2 * std::numbers::pi / meridians);
    }
  }
  const std::vector<FarField> far = far_field(d, faces, k, traces, directions, images);
  double power = 0;
  for (std::size_t i = 0; i < far.size(); ++i) {
    power += weights[i] / 2 * (std::norm(far[i].E_theta) + std::norm(far[i].E_phi));
  }
  return power;
}

}  // namespace maxwell_dg::dg::maxwell
