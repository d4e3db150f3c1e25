#pragma once

#include <optional>
#include <string>

#include "apps/maxwell_dg/plan.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "dg/operator/archive.hpp"
#include "dg/tuning/stage_tuner.hpp"

namespace maxwell_dg {

/// Puts in what tells a run from others, and what else its continuation has to know of it.
void describe_run(const Plan& plan, const std::string& kernel_variant, dg::Archive& archive);

/// Looks for the newest whole checkpoint in the output directory that goes with the files there and makes the plan go
/// on from it: with the very steps that the run had if they are still those that suit it, else with equal ones to the
/// end. Nothing, and says so, where there is none. Throws ConfigError for one of another mesh or config, or of a time
/// after the end, and OutputError where there are checkpoints, but none goes with the files.
[[nodiscard]] std::optional<dg::FoundCheckpoint> resume(Plan& plan);

/// The kernel variant that the run had, where it can be had again and makes the results the same to the bit: on the
/// same device, for the same order and precision.
[[nodiscard]] std::optional<dg::Variant> variant_before(const Plan& plan, const dg::Archive& archive);

}  // namespace maxwell_dg
