#pragma once

#include "dg/schedule/schedule.hpp"
#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::dg {

/// A schedule as a point of the tuner's spaces: the words and numbers of its choices by their keys (Choice).
[[nodiscard]] rtcg::Configuration configuration_of(const Schedule& schedule);

/// The schedule of a configuration. Throws std::out_of_range if a choice is missing, std::invalid_argument for an
/// unknown word or a number outside 1 to 9999.
[[nodiscard]] Schedule schedule_of(const rtcg::Configuration& configuration);

}  // namespace maxwell_dg::dg
