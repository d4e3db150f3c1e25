#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "dg/maxwell/far_field.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "tests/support/curved_mesh.hpp"

/// Exact fields of oscillating dipoles on the faces of a cube in a mesh of tetrahedra.
namespace maxwell_dg::dg::testing {

using ComplexVector = Eigen::Vector3cd;

/// Without conjugation, which Eigen's has.
inline ComplexVector cross(const ComplexVector& a, const ComplexVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// An oscillating dipole (Jackson, Classical Electrodynamics, 3rd ed., 9.18), in units with epsilon_0 = mu_0 = 1 and
/// for exp(+j omega t): conjugated.
struct Dipole {
  Eigen::Vector3d at;
  ComplexVector moment;
  double k;

  [[nodiscard]] std::array<ComplexVector, 2> fields(const Eigen::Vector3d& x) const {
    const double r = (x - at).norm();
    const ComplexVector n = ((x - at) / r).cast<std::complex<double>>();
    const std::complex<double> j(0, 1), wave = std::exp(-j * k * r) / (4 * std::numbers::pi * r);
    const ComplexVector np = cross(n, moment);
    const std::complex<double> along = n.conjugate().dot(moment);
    return {wave * (k * k * cross(np, n) + (3.0 * along * n - moment) * (1.0 / (r * r) + j * k / r)),
            k * k * wave * (1.0 + 1.0 / (j * k * r)) * np};
  }
  [[nodiscard]] ComplexVector far(const Eigen::Vector3d& r) const {
    const ComplexVector n = r.cast<std::complex<double>>();
    return k * k / (4 * std::numbers::pi) * std::polar(1.0, k * r.dot(at)) * cross(cross(n, moment), n);
  }
  [[nodiscard]] double power() const { return std::pow(k, 4) * moment.squaredNorm() / (12 * std::numbers::pi); }
};

struct DipoleSurface {
  dg::Discretization d;
  std::vector<dg::ElementFace> faces;
  std::vector<std::complex<double>> traces;
};
/// `bent`: the faces are those of a cube that was bent, by a map of order 4.
inline DipoleSurface dipole_surface(int N, const std::vector<Dipole>& dipoles, bool bent = false) {
  dg::Mesh mesh = dg::make_box({.min = {-1, -1, -1}, .max = {1, 1, 1}, .cells = {4, 4, 4}});
  std::vector<bool> enclosed;
  for (const auto& cell : mesh.cells) {
    const dg::Point c = centroid(mesh, cell);
    enclosed.push_back(std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])}) < 0.5);
  }
  if (bent) dg::curve(mesh, 4, waves(0.06));
  DipoleSurface s{.d = dg::Discretization(std::move(mesh), N)};
  s.faces = dg::enclosing_surface(s.d.connectivity, enclosed);
  const auto Nfp = static_cast<std::size_t>(s.d.Nfp());
  s.traces.resize(s.faces.size() * 6 * Nfp);
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    for (std::size_t i = 0; i < Nfp; ++i) {
      const int node = s.d.reference.Fmask(static_cast<int>(i), s.faces[f].face);
      ComplexVector E = ComplexVector::Zero(), H = E;
      for (const Dipole& dipole : dipoles) {
        const auto fields = dipole.fields(Eigen::Vector3d(s.d.node(s.faces[f].element, node).data()));
        E += fields[0];
        H += fields[1];
      }
      for (std::size_t c = 0; c < 6; ++c) {
        s.traces[(f * 6 + c) * Nfp + i] = c < 3 ? E[static_cast<int>(c)] : H[static_cast<int>(c) - 3];
      }
    }
  }
  return s;
}

}  // namespace maxwell_dg::dg::testing
