#pragma once

#include <span>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// A face that was joined to its periodic partner (dg/mesh/periodic.hpp), seen from one element: complex fields of the
/// partner's element are multiplied by exp(i phase) when they are read through this face.
struct PhasedFace {
  FaceTerm::Face face;
  double phase;                                         ///< [rad]
  auto operator<=>(const PhasedFace&) const = default;  // NOLINT(modernize-use-nullptr): as in Contraction::Term
};

/// Bloch's condition q(x + a) = q(x) exp(-i k . a) for complex fields q = u + i v (ComplexView). The outside traces u_p
/// and v_p of a face become
///
///   u_p cos(phase) - v_p sin(phase)   and   v_p cos(phase) + u_p sin(phase).
///
/// `faces` lists the joined faces of elements that hold real parts, on both sides of each joint. If the partner of a
/// face lies at x + a, the phase is k . a; the partner's phase is the negative of that. Two terms are returned: one
/// adds (cos(phase) - 1) times the outside trace of the same part, the other +-sin(phase) times that of the other part.
/// The scheme is as stable as without phases, since the new traces are those of the field in the next period. Throws
/// std::invalid_argument if fields are not complex or a face was not joined.
[[nodiscard]] std::vector<FaceTerm> phase_terms(const Discretization& discretization, const System& system,
                                                std::span<const PhasedFace> faces);

}  // namespace maxwell_dg::dg
