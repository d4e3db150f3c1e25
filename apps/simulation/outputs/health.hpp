#pragma once

#include <cstddef>
#include <string>

#include "apps/simulation/plan.hpp"
#include "dg/checkpoint/archive.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/health_check.hpp"

namespace maxwell_dg::simulation {

/// How the energy of a run is checked; the operator holds the initial state. `resumed`: see Observers. The plan and
/// `resumed` must outlive the result.
[[nodiscard]] dg::HealthCheck::Options health_options(const Plan& plan, const dg::Operator& op, const dg::Sink& sink,
                                                      const dg::Archive* resumed);

/// What most probably is wrong with a run that diverges with the largest field in element k, and what to do.
[[nodiscard]] std::string likely_causes(const Plan& plan, std::size_t k);

}  // namespace maxwell_dg::simulation
