#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::maxwell {

/// How a perfectly matched layer damps at a point: along three perpendicular axes at the rates sigma [1/length].
struct PmlProfile {
  std::array<double, 3> sigma{};
  std::array<Point, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

/// A perfectly matched layer: along axis i, lengths are stretched by s_i = 1 + sigma_i / (i w + alpha), which for waves
/// is a uniaxial medium without reflection, epsilon_i = mu_i = s_j s_k / s_i (Gedney 1996, IEEE Trans. Antennas Propag.
/// 44, 1630; complex frequency shift alpha: Kuzuoglu & Mittra 1996, IEEE Microw. Guided Wave Lett. 6, 447). In time
/// that is up to three local equations a component, with no derivative in space (docs/theory.md derives them).
///
/// `profile_at(k, x)` gives the damping at a node of element k, one of `elements`. One term for each set of axes along
/// which its elements damp, so that a slab has 6 auxiliary variables a node, an edge 12, and a corner 18; axes that are
/// not x, y and z make it 18.
[[nodiscard]] std::vector<ElementTerm> pml_terms(
    const System& system, const Discretization& discretization, const std::vector<std::int32_t>& elements, double alpha,
    const std::function<PmlProfile(std::int32_t, const Point&)>& profile_at);

}  // namespace maxwell_dg::dg::maxwell
