#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"
#include "apps/maxwell_dg/plan.hpp"
#include "dg/tuning/stage_tuner.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg {

/// The kernel variant for a run, and where it comes from; may tune first, within the config's time.
[[nodiscard]] dg::Variant choose_variant(const Plan& plan, const rtcg::Compiler& compiler);

/// --tune: looks for the fastest variant, keeps it in the wisdom, and returns the table of all that were tried.
[[nodiscard]] std::string tune(const CommandLine& command);

}  // namespace maxwell_dg
