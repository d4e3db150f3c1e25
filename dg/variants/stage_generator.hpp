#pragma once

#include <memory>

#include "dg/codegen/fused_generator.hpp"

namespace maxwell_dg::dg {

/// The generator of a stage in one kernel, for the schedule's slicing. Throws std::invalid_argument for a schedule of
/// several kernels a stage, or one that does not fit the system, order and precision.
[[nodiscard]] std::unique_ptr<FusedGenerator> make_stage_generator(const LoweredSystem& lowered,
                                                                   FusedGenerator::Options options);

}  // namespace maxwell_dg::dg
