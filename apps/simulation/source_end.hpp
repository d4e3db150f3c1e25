#pragma once

#include <string>

#include "apps/simulation/plan.hpp"
#include "dg/maxwell/plane_wave.hpp"

/// When sources have ended.
namespace maxwell_dg::simulation {

/// When a source's waveform has ended or is steady, inside. Of an expression, the last time before `until` at which it
/// is more than 1e-6 of its largest value; infinite if that is `until`.
[[nodiscard]] double end_of(const Plan& plan, const dg::maxwell::Waveform& waveform, double until);

/// The same of a current's density, from samples in some of its elements; of several ranks with parts, in those of all.
/// `key`: of the source. Collective.
[[nodiscard]] double end_of(const Plan& plan, const std::string& key, const config::Current& current, double until);

}  // namespace maxwell_dg::simulation
