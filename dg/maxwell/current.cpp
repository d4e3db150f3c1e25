#include "dg/maxwell/current.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/mpi/of_all.hpp"
#include "dg/maxwell/maxwell.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

/// [node] of element k: the polynomial whose integral with each other one is the other's value at rst.
Eigen::VectorXd delta_function(const Discretization& d, std::size_t k, const Point& rst) {
  const ReferenceElement& reference = d.reference;
  const Eigen::VectorXd values = reference.lagrange(rst[0], rst[1], rst[2]);
  if (!d.mesh.curved.is_curved(k)) {  // M^-1 = V V^T on the reference element
    return reference.V * (reference.V.transpose() * values) / std::abs(d.geometry.J[k]);
  }
  const std::vector<double> volumes = d.volume_weights(k);
  const Eigen::MatrixXd& at_points = d.curved->quadrature.at_volume;
  const Eigen::Map<const Eigen::VectorXd> weights(volumes.data(), at_points.rows());
  return (at_points.transpose() * weights.asDiagonal() * at_points).llt().solve(values);
}

}  // namespace

ElementTerm current_term(const System& system, std::vector<std::int32_t> elements, const Vector& J) {
  return {.name = "current", .added = response(system, J, {}), .elements = std::move(elements)};
}

ElementTerm dipole_term(const System& system, const Discretization& discretization, const Point& at, DipoleKind kind,
                        const Vector& moment_rate, const core::Communicator& ranks) {
  const Vector density = profile(0) * moment_rate;
  ElementTerm term{
      .name = kind == DipoleKind::electric ? "electric_dipole" : "magnetic_dipole",
      .added = kind == DipoleKind::electric ? response(system, density, {}) : response(system, {}, density),
      .profiles = {{}}};
  for (std::size_t k = 0; k < std::min(discretization.complex_view.places(), discretization.own()); ++k) {
    const std::optional<Point> found = coordinates_within(discretization.mesh, discretization.geometry, k, at);
    if (!found) continue;
    const Eigen::VectorXd delta = delta_function(discretization, k, *found);
    term.elements.push_back(static_cast<std::int32_t>(k));
    term.profiles[0].insert(term.profiles[0].end(), delta.begin(), delta.end());
  }
  const double count = core::sum_of(ranks, static_cast<double>(term.elements.size()));
  if (count == 0) throw std::invalid_argument("the dipole lies outside of the mesh");
  for (double& value : term.profiles[0]) value /= count;
  return term;
}

}  // namespace maxwell_dg::dg::maxwell
