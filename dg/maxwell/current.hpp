#pragma once

#include <cstdint>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"
#include "dg/symbolic/vector.hpp"

/// Impressed currents as terms, in units where epsilon_0 = mu_0 = 1: epsilon dE/dt = curl H - J, mu dH/dt = -curl E -
/// K.
namespace maxwell_dg::dg::maxwell {

/// A current density of position and time in some elements (ascending).
[[nodiscard]] ElementTerm current_term(const System& system, std::vector<std::int32_t> elements,
                                       const symbolic::Vector& J);

/// A dipole at a point: J = dp/dt delta(x - at) of the electric moment p(t), and K = dm/dt delta(x - at) of the
/// magnetic one. In an element, the delta function becomes its L2 projection on the polynomials, M^-1 phi(at) / |J|, in
/// a curved one with |J| within M; if several elements share the point (a vertex, an edge, a face), each gets an equal
/// part. `moment_rate` is dp/dt or dm/dt, of time alone; of complex fields it drives the real part. Throws
/// std::invalid_argument for a point outside the mesh, on all of the ranks that have parts of it. Collective.
enum class DipoleKind { electric, magnetic };
[[nodiscard]] ElementTerm dipole_term(const System& system, const Discretization& discretization, const Point& at,
                                      DipoleKind kind, const symbolic::Vector& moment_rate,
                                      const core::Communicator& ranks = {});

}  // namespace maxwell_dg::dg::maxwell
