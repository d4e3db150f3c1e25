#pragma once

#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "rtcg/tune/tuner.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::rtcg {

/// What a problem asks on a device, as an entry of wisdom that still lacks its answer.
[[nodiscard]] WisdomEntry question_of(const TuningProblem& problem, const core::Device& device);
/// 64 hexadecimal digits that change with what is asked, for what kind of problem and where.
[[nodiscard]] std::string digest_of_question(const WisdomEntry& asked);

struct KnownAnswer {
  WisdomEntry entry;
  Match match{};
};

/// Answers to a question, of wisdom and of what ships, that are points of the problem's spaces. The best match first;
/// of equal ones that of a like device, then the nearest shape, then the latest.
[[nodiscard]] std::vector<KnownAnswer> known_answers(const TuningProblem& problem, const WisdomEntry& asked,
                                                     const Wisdom& wisdom, const core::DeviceInfo& device);

}  // namespace maxwell_dg::rtcg
