#pragma once

#include <string>

#include "rtcg/loop/slicing.hpp"

namespace maxwell_dg::rtcg {

/// The kernel `loop` that computes a nest in slices: text in the kernel dialect. Its parameters are the nest's arrays,
/// in their order, then the assignment's scalars. Groups lie along dimension 0.
[[nodiscard]] std::string generate_loop(const LoopNest& nest, const Slicing& slicing);

}  // namespace maxwell_dg::rtcg
