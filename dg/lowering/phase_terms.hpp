#pragma once

#include <span>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// A joined face (dg/mesh/periodic.hpp), seen from one element: complex fields beyond it count exp(i phase) times.
struct PhasedFace {
  FaceTerm::Face face;
  double phase;                                         ///< [rad]
  auto operator<=>(const PhasedFace&) const = default;  // NOLINT(modernize-use-nullptr): as in Contraction::Term
};

/// Bloch's condition u(x + a) = u(x) exp(-i k . a) of complex fields u + i v (ComplexView). What a face reads from
/// outside becomes
///
///   u_p cos(phase) - v_p sin(phase)   and   v_p cos(phase) + u_p sin(phase).
///
/// `faces` are those of elements with real parts, both sides of each joint: the phase is k . a where the partner lies
/// at a, so seen from the other side its negative. Two terms: what is missing of the same part, and what there is of
/// the other one. Nothing becomes less stable: the turned traces are those of the field in the next period.
[[nodiscard]] std::vector<FaceTerm> phase_terms(const Discretization& discretization, const System& system,
                                                std::span<const PhasedFace> faces);

}  // namespace maxwell_dg::dg
