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

/// Of J and M, real and imaginary parts.
constexpr Eigen::Index values = 12;

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

/// Around all faces and their images. Collective.
Eigen::AlignedBox3d box_around(const Discretization& d, std::span<const ElementFace> faces,
                               const std::vector<Image>& images, const core::Communicator& ranks) {
  Eigen::AlignedBox3d box;
  for (const ElementFace& f : faces) {
    for (const RealVector& v : vertices_of(d, f)) {
      for (const Image& image : images) box.extend(image.position(v));
    }
  }
  ranks.min({box.min().data(), 3});
  ranks.max({box.max().data(), 3});
  return box.isEmpty() ? Eigen::AlignedBox3d(RealVector(RealVector::Zero())) : box;
}

RealVector unit_vector(const Direction& direction) {
  const double st = std::sin(direction.theta);
  return {st * std::cos(direction.phi), st * std::sin(direction.phi), std::cos(direction.theta)};
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
  const Eigen::AlignedBox3d box = box_around(d, faces, images, ranks);
  radius_ = box.diagonal().norm() / 2;
  centre_ = box.center();
  const int degree =
      d.N() + degree_of_phase(k_ * core::largest_of(ranks, longest_edge(d, faces)) / 2) + degree_of_normals(d);
  std::vector<double> x, currents;
  for_each_point(d, faces, traces, degree, [&](const FacePoint& at, const ComplexVector& E, const ComplexVector& H) {
    for (const Image& image : images) {
      const RealVector n = times(image.factors.position, at.outward), beside = k_ * (image.position(at.x) - centre_);
      x.insert(x.end(), beside.begin(), beside.end());
      Eigen::Vector<Complex, 6> both;
      both << cross_complex(n, times(image.factors.H, H)), cross_complex(-n, times(image.factors.E, E));
      for (const Complex& value : both) currents.push_back(value.real());
      for (const Complex& value : both) currents.push_back(value.imag());
    }
  });
  const auto count = static_cast<Eigen::Index>(x.size() / 3);
  x_ = Eigen::Map<const Eigen::Matrix3Xd>(x.data(), 3, count);
  currents_ = Eigen::Map<const Eigen::MatrixXd>(currents.data(), values, count).transpose();
  const double farthest = count > 0 ? x_.colwise().norm().maxCoeff() : 0.0;
  order_ = PlaneWaveSums::order_within(core::largest_of(ranks, farthest));
}

/// By operations: a point with its phase costs as much as ten spherical waves.
bool RadiatingSurface::takes_spherical_waves(std::size_t directions) const {
  const double waves = std::pow(order_ + 1, 2);
  return spherical_waves_ || 10 * static_cast<double>(directions) > waves;
}

const PlaneWaveSums& RadiatingSurface::spherical_waves() const {
  if (!spherical_waves_) {
    spherical_waves_.emplace(x_, currents_, order_);
    ranks_.sum(spherical_waves_->moments());
  }
  return *spherical_waves_;
}

/// Of this rank.
Eigen::MatrixXd RadiatingSurface::sums_of_points(const Eigen::Matrix3Xd& directions) const {
  constexpr Eigen::Index block = 256;
  Eigen::MatrixXd result(values, directions.cols());
  for_each_in_parallel(static_cast<std::size_t>(directions.cols()), [&](std::size_t i) {
    const RealVector r = directions.col(static_cast<Eigen::Index>(i));
    Eigen::Vector<double, values> by_cosine, by_sine;
    by_cosine.setZero();
    by_sine.setZero();
    Eigen::VectorXd cosine(block), sine(block);
    for (Eigen::Index begin = 0; begin < x_.cols(); begin += block) {
      const Eigen::Index count = std::min(block, x_.cols() - begin);
      for (Eigen::Index p = 0; p < count; ++p) {
        const double angle = r.dot(x_.col(begin + p));
        cosine[p] = std::cos(angle);
        sine[p] = std::sin(angle);
      }
      by_cosine.noalias() += currents_.middleRows(begin, count).transpose() * cosine.head(count);
      by_sine.noalias() += currents_.middleRows(begin, count).transpose() * sine.head(count);
    }
    constexpr Eigen::Index half = values / 2;
    auto sum = result.col(static_cast<Eigen::Index>(i));
    sum.head<half>() = by_cosine.head<half>() - by_sine.tail<half>();
    sum.tail<half>() = by_cosine.tail<half>() + by_sine.head<half>();
  });
  return result.transpose();
}

std::vector<FarField> RadiatingSurface::with_image(std::span<const Direction> directions) const {
  Eigen::Matrix3Xd r(3, static_cast<Eigen::Index>(directions.size()));
  for (std::size_t i = 0; i < directions.size(); ++i) r.col(static_cast<Eigen::Index>(i)) = unit_vector(directions[i]);
  Eigen::MatrixXd sums;  // [direction][N, L], real then imaginary parts
  if (takes_spherical_waves(directions.size())) {
    sums = spherical_waves().towards(r);
  } else {
    sums = sums_of_points(r);
    ranks_.sum({sums.data(), static_cast<std::size_t>(sums.size())});
  }
  std::vector<FarField> result;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double ct = std::cos(directions[i].theta), st = std::sin(directions[i].theta);
    const double cp = std::cos(directions[i].phi), sp = std::sin(directions[i].phi);
    const RealVector theta(ct * cp, ct * sp, -st), phi(-sp, cp, 0);
    const auto along = [&](const RealVector& axis, Eigen::Index first) {
      return Complex(axis.dot(sums.row(row).segment<3>(first)), axis.dot(sums.row(row).segment<3>(first + values / 2)));
    };
    const Complex factor = std::polar(k_ / (4 * std::numbers::pi), k_ * centre_.dot(r.col(row))) * Complex(0, 1);
    constexpr Eigen::Index N = 0, L = 3;
    result.push_back(
        {-factor * (along(phi, L) + Z_ * along(theta, N)), factor * (along(theta, L) - Z_ * along(phi, N))});
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
