#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::maxwell {

/// How a PML moves points: at the complex frequency p, x comes to lie at x + d(x) / (p + alpha).
struct PmlMotion {
  std::function<Point(const Point&)> displacement;  ///< d [length/time]; continuous, and zero where the PML begins
  /// [i] that of d_i [1/time], for curved elements.
  std::function<std::array<Point, 3>(const Point&)> gradient{};
};

/// A perfectly matched layer in some elements: Maxwell's equations on a mesh whose vertices are moved, by a way that
/// depends on frequency. The displacement is linear in straight elements, so that its gradient G, G_ij of d_i along j,
/// is constant there; in curved ones G is the exact one at each point where the term is evaluated. Where lengths would
/// shrink, the symmetric part of G is made positive. On the mesh as it is, the moved one is a medium, epsilon = mu =
/// det F F^-1 F^-T with F = 1 + G / (p + alpha) (Gedney 1996, IEEE Trans. Antennas Propag. 44, 1630; complex frequency
/// shift alpha: Kuzuoglu & Mittra 1996, IEEE Microw. Guided Wave Lett. 6, 447); in time, ordinary equations at each
/// node (docs/theory.md derives them).
///
/// One term for each kind of elements: "pmlx" where all is along x, "pml" where G is diagonal, "pmlround" where it is
/// along a radius, and less and the same in all directions across; "pmlany" elsewhere. Auxiliary variables a node: 6,
/// 12, 8 and 12; if alpha = 0 and there are no losses, 2, 6, 2 and 6.
///
/// Throws std::invalid_argument where elements are curved and the motion has no gradient.
///
/// Losses of the problem in these elements, and the poles of `media` there, act on the field of the moved mesh. So
/// these poles must not be terms of the problem, too.
///
/// `ranks`: those that have parts of the mesh. All of them get the same terms, also where they have no element of one.
/// Collective.
[[nodiscard]] std::vector<ElementTerm> pml_terms(const Problem& problem, const Discretization& discretization,
                                                 const std::vector<std::int32_t>& elements, double alpha,
                                                 const PmlMotion& motion,
                                                 const std::vector<DispersiveMedium>& media = {},
                                                 const core::Communicator& ranks = {});

}  // namespace maxwell_dg::dg::maxwell
