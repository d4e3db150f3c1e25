#pragma once

#include <optional>
#include <string>

#include "apps/simulation/directory/output_directory.hpp"
#include "apps/simulation/plan.hpp"
#include "dg/checkpoint/archive.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "dg/tuning/stage_tuner.hpp"

namespace maxwell_dg::simulation {

/// Puts in what tells a run from others, and what else its continuation has to know of it.
void describe_run(const Plan& plan, const std::string& kernel_variant, dg::Archive& archive);

/// How a run goes on.
struct Resumption {
  std::optional<dg::FoundCheckpoint> from;  ///< nothing: it begins
  bool is_finished = false;                 ///< it was run to its end: nothing is left to do
};

/// Looks for the newest whole checkpoint in the output directory that goes with the files there and makes the plan go
/// on from it: with the very steps that the run had if they are still those that suit it, else with equal ones to the
/// end. Where there is no checkpoint, no result is given up: the run begins if the directory holds none, or those that
/// this very run left when it was killed before its first checkpoint. Throws ConfigError for a checkpoint of another
/// mesh or config, or of a time after the end, for the end of a run that was computed otherwise, and for results
/// without a checkpoint; OutputError where there are checkpoints, but none goes with the files. Of several ranks all
/// read the directory, and the first one alone owns it: `outputs` is null for the others, which leave it to the first
/// to refuse results without a checkpoint.
[[nodiscard]] Resumption resume(Plan& plan, const OutputDirectory* outputs);

/// What the user of a run that was interrupted wants to know: how to go on with it, or why that cannot be.
[[nodiscard]] std::string how_to_go_on(const Plan& plan);

/// The kernel variant that the run had, where it can be had again and makes the results the same to the bit: on the
/// same device, for the same order and precision.
[[nodiscard]] std::optional<dg::Variant> variant_before(const Plan& plan, const dg::Archive& archive);

}  // namespace maxwell_dg::simulation
