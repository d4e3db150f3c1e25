#pragma once

#include <string>
#include <vector>

#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// What a schedule's name says in short, in sentences: what a work-item computes, what a work-group has, and how the
/// state lies in memory. Only what matters for its slicing.
[[nodiscard]] std::vector<std::string> in_words(const Schedule& schedule);

}  // namespace maxwell_dg::dg
