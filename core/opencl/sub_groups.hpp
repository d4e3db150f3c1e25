#pragma once

#include <array>
#include <cstddef>

#include "core/device/device.hpp"

namespace maxwell_dg::core::opencl {

/// How a group falls into sub-groups, whose work-items step together and exchange values without shared memory; what
/// CUDA calls warps, of 32.
struct SubGroups {
  std::size_t size{};   ///< of the largest
  std::size_t count{};  ///< in a group
};

/// For groups of this size. Throws UnsupportedFeature where the device has no sub-groups.
[[nodiscard]] SubGroups sub_groups(const Kernel& kernel, const std::array<std::size_t, 3>& group_size);

}  // namespace maxwell_dg::core::opencl
