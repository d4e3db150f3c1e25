#include "dg/maxwell/current.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "dg/maxwell/maxwell.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

/// Barycentric coordinates are all at least 0 inside.
bool holds(const Point& rst) {
  constexpr double margin = 1e-9;
  return std::min({rst[0], rst[1], rst[2]}) >= -1 - margin && rst[0] + rst[1] + rst[2] <= -1 + margin;
}

}  // namespace

ElementTerm current_term(const System& system, std::vector<std::int32_t> elements, const Vector& J) {
  return {.name = "current", .added = response(system, J, {}), .elements = std::move(elements)};
}

ElementTerm dipole_term(const System& system, const Discretization& discretization, const Point& at, DipoleKind kind,
                        const Vector& moment_rate) {
  const Vector density = profile(0) * moment_rate;
  ElementTerm term{
      .name = kind == DipoleKind::electric ? "electric_dipole" : "magnetic_dipole",
      .added = kind == DipoleKind::electric ? response(system, density, {}) : response(system, {}, density),
      .profiles = {{}}};
  const ReferenceElement& reference = discretization.reference;
  for (std::size_t k = 0; k < discretization.complex_view.places(); ++k) {
    const Point rst = reference_coordinates(discretization.mesh, discretization.geometry, k, at);
    if (!holds(rst)) continue;
    // M^-1 = V V^T on the reference element
    const Eigen::VectorXd delta = reference.V * (reference.V.transpose() * reference.lagrange(rst[0], rst[1], rst[2])) /
                                  std::abs(discretization.geometry.J[k]);
    term.elements.push_back(static_cast<std::int32_t>(k));
    term.profiles[0].insert(term.profiles[0].end(), delta.begin(), delta.end());
  }
  if (term.elements.empty()) throw std::invalid_argument("the dipole lies outside of the mesh");
  for (double& value : term.profiles[0]) value /= static_cast<double>(term.elements.size());
  return term;
}

}  // namespace maxwell_dg::dg::maxwell
