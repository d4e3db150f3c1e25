#pragma once

#include <memory>

#include "dg/codegen/fused_generator.hpp"

namespace maxwell_dg::dg {

/// The generator of a stage in one kernel, for the schedule's slicing. Throws std::invalid_argument on a schedule that
/// asks for several kernels, or whose numbers do not fit each other.
[[nodiscard]] std::unique_ptr<FusedGenerator> make_stage_generator(const LoweredSystem& lowered,
                                                                   FusedGenerator::Options options);

}  // namespace maxwell_dg::dg
