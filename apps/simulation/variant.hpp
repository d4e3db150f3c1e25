#pragma once

#include "apps/simulation/plan.hpp"
#include "dg/tuning/stage_tuner.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::simulation {

/// The kernel variant for a run, and where it comes from; may tune first, within the config's time.
[[nodiscard]] dg::Variant choose_variant(const Plan& plan, const rtcg::Compiler& compiler);

/// That of curved elements beside a schedule; empty where there are none.
[[nodiscard]] dg::CurvedVariant choose_curved_variant(const Plan& plan, const rtcg::Compiler& compiler,
                                                      const dg::Schedule& schedule);

/// What `choose_variant` takes if it is right, found without running anything.
[[nodiscard]] dg::StageTuner::Expectation expect_variant(const Plan& plan, const rtcg::Compiler& compiler);

}  // namespace maxwell_dg::simulation
