#pragma once

#include "dg/codegen/kernel_generator.hpp"
#include "dg/lowering/curved_system.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

/// What has constants of its own: where media vary within elements, each point.
enum class ConstantsOf { elements, points };

/// The kernel `curved_energy` (energy_curved.kernel): energies of curved elements, a group of work-items for each, by
/// quadrature at so many volume points. It reads a state with components along x, y and z.
[[nodiscard]] rtcg::KernelSource curved_energy_kernel(const LoweredSystem& lowered, const CurvedSystem& system,
                                                      int volume_points, KernelGenerator::Options options,
                                                      ConstantsOf constants);
/// Work-items of its groups.
inline constexpr int curved_energy_items = 128;

}  // namespace maxwell_dg::dg
