#include "dg/maxwell/film_power.hpp"

#include <algorithm>
#include <cstdint>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "dg/mesh/face_map.hpp"
#include "dg/reference/face_interpolation.hpp"
#include "dg/reference/triangle_quadrature.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

using RealVector = Eigen::Vector3d;
using ComplexVector = Eigen::Vector3cd;

/// Where a face is among those of a mode; its own number where its other side is outside of the mesh.
std::size_t number_of_other_side(const Discretization& d, const PortMode& mode, std::size_t side) {
  const auto& [element, face] = mode.faces[side];
  const std::int32_t n = d.connectivity.neighbours[element].at(index(face));
  if (n < 0) return side;
  const auto found = std::ranges::lower_bound(mode.faces, ElementFace{index(n / 4), n % 4});
  return static_cast<std::size_t>(found - mode.faces.begin());
}

ComplexVector product(const ComplexVector& a, const ComplexVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// What goes out of the media on both sides of a face, as outgoing_into_film has it, by Y E and the jump of H.
ComplexVector outgoing(const ComplexVector& n, const ComplexVector& Y_E, const ComplexVector& H) {
  return product(product(n, Y_E), n) - product(n, H);
}

}  // namespace

FilmQuadrature film_quadrature(const Discretization& d, const PortMode& mode, double parts) {
  const TriangleQuadrature points = TriangleQuadrature::exact_to(2 * (d.N() + d.mesh.curved.order - 1));
  FilmQuadrature film{.at_points = face_interpolation(d.reference, points), .sides = {}, .weights = {}, .normals = {}};
  const FaceMap map(d.mesh, points);
  for (std::size_t side = 0; side < mode.faces.size(); ++side) {
    const std::size_t other = number_of_other_side(d, mode, side);
    if (other < side) continue;
    film.sides.push_back({side, other});
    const auto& [element, face] = mode.faces[side];
    const Geometry::Face& plane = d.geometry.faces[element][index(face)];
    const std::vector<FaceMap::At> at = map.at(mode.faces[side]);
    for (const double weight : area_weights(at, points)) film.weights.push_back(parts * weight);
    for (const FaceMap::At& here : at) {
      const RealVector normal = RealVector(here.by_r.data()).cross(RealVector(here.by_s.data())).normalized();
      const double sign = normal.dot(RealVector(plane.nx, plane.ny, plane.nz)) < 0 ? -1 : 1;
      film.normals.push_back({sign * normal[0], sign * normal[1], sign * normal[2]});
    }
  }
  return film;
}

double power_of_unevenness(const Port& port, bool driven, std::span<const std::complex<double>> traces,
                           std::complex<double> V) {
  if (!port.mode.film) return 0;
  const LumpedFilm& film = *port.mode.film;
  const Eigen::MatrixXd& at_points = film.quadrature.at_points;
  const Eigen::Index Nfp = at_points.cols();
  const auto nodal = [&](std::size_t side, Eigen::Index field) {
    return Eigen::Map<const Eigen::MatrixXcd>(traces.data() + (static_cast<Eigen::Index>(side) * 6 + field) * Nfp, Nfp,
                                              3);
  };
  const double Y_s = 1 / film.resistance, source = driven ? 2 * voltage_of_mode(port.mode) : 0.0;
  double sum = 0;
  std::size_t point = 0;
  for (const auto& [side, other] : film.quadrature.sides) {
    const double Y_m = film.admittances[side], Y_p = film.beyond[side];
    Eigen::MatrixXcd Y_E = Y_m * nodal(side, 0), H = nodal(side, 3);
    if (other != side) {
      Y_E += Y_p * nodal(other, 0);
      H -= nodal(other, 3);
    }
    Eigen::MatrixXd e(Nfp, 3);
    const auto* nodal_e = &port.mode.e[side * static_cast<std::size_t>(Nfp)];
    for (Eigen::Index i = 0; i < Nfp; ++i) e.row(i) = RealVector(nodal_e[i].data()) / port.mode.of_interpolated;
    Y_E = at_points * Y_E;
    H = at_points * H;
    e = at_points * e;
    for (Eigen::Index p = 0; p < at_points.rows(); ++p, ++point) {
      const ComplexVector n = RealVector(film.quadrature.normals[point].data()).cast<std::complex<double>>();
      const ComplexVector e_here = e.row(p).transpose().cast<std::complex<double>>();
      const ComplexVector E =
          (outgoing(n, Y_E.row(p).transpose(), H.row(p).transpose()) + Y_s * source * e_here) / (Y_m + Y_p + Y_s);
      sum += film.quadrature.weights[point] * (E - V * e_here).squaredNorm();
    }
  }
  return Y_s * sum / 2;
}

}  // namespace maxwell_dg::dg::maxwell
