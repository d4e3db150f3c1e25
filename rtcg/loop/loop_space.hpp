#pragma once

#include <vector>

#include "core/device/device.hpp"
#include "rtcg/loop/loop_nest.hpp"
#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::rtcg {

/// All slicings worth a try. On a GPU: work-items and registers along each dimension of the result, tiles of the sum,
/// what is staged in shared memory, loading ahead. On a CPU: one work-item a group, which holds a block of vectors in
/// registers.
[[nodiscard]] SearchSpace loop_space(const LoopNest& nest, const core::DeviceInfo& device);

/// Points of that space to begin with: blockings that have proved themselves for products of matrices and the like.
[[nodiscard]] std::vector<Configuration> loop_beginnings(const LoopNest& nest, const core::DeviceInfo& device);

}  // namespace maxwell_dg::rtcg
