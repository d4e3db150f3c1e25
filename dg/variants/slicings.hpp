#pragma once

#include <span>

#include "dg/codegen/slicing.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// All slicings, in the order of the alternatives of Schedule::slicing.
[[nodiscard]] std::span<const Slicing> all_slicings();
[[nodiscard]] const Slicing& slicing_of(const Schedule& schedule);

/// Whether a schedule fits a problem, and the device unless it is null; and if not, why.
[[nodiscard]] Fit fits(const Schedule& schedule, const StageProblem& problem, const core::DeviceInfo* device);

}  // namespace maxwell_dg::dg
