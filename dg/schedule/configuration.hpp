#pragma once

#include "dg/schedule/schedule.hpp"
#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::dg {

/// A schedule as a point of the tuner's spaces: the words and numbers of its choices by their keys (Choice).
[[nodiscard]] rtcg::Configuration configuration_of(const Schedule& schedule);

/// The way back. Throws std::out_of_range where a choice is missing, std::invalid_argument on a word that is none or a
/// number below 1.
[[nodiscard]] Schedule schedule_of(const rtcg::Configuration& configuration);

}  // namespace maxwell_dg::dg
