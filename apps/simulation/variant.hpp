#pragma once

#include <optional>

#include "apps/simulation/plan.hpp"
#include "dg/partition/restricted.hpp"
#include "dg/schedule/curved_variant.hpp"
#include "dg/tuning/stage_tuner.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::simulation {

/// What kernel variants are chosen and tuned for: the problem, or of several ranks what the one has that needs longest,
/// without what it exchanges; where this rank has a part alone that part, with ghosts, which tuners leave out.
using Workload = dg::OwnElements;
[[nodiscard]] Workload workload_of(const Plan& plan);

/// The kernel variants for a run, and where the first comes from; may tune first, within the config's time. Of several
/// ranks the first one asks; all have its answer. `before`: what is taken without asking. Collective.
struct ChosenVariants {
  dg::Variant variant;
  dg::CurvedVariant curved;  ///< of curved elements; empty where there are none
};
[[nodiscard]] ChosenVariants choose_variants(const Plan& plan, const rtcg::Compiler& compiler,
                                             const std::optional<dg::Variant>& before = std::nullopt);

/// What `choose_variant` takes if it is right, found without running anything.
[[nodiscard]] dg::StageTuner::Expectation expect_variant(const Plan& plan, const rtcg::Compiler& compiler);

}  // namespace maxwell_dg::simulation
