#pragma once

#include <vector>

#include "apps/dg_bench/bench.hpp"
#include "apps/dg_bench/on_ranks.hpp"
#include "apps/dg_bench/tune.hpp"
#include "core/atomic_file.hpp"
#include "core/device/device.hpp"

namespace maxwell_dg::bench {

void print_ceilings(const core::DeviceInfo& device, const rtcg::Ceilings& ceilings);
void print_header();
void print(const Answer& answer);
void print_sums_header();
void print(const SumsAnswer& answer);
void print_header_of_ranks(const core::DeviceInfo& device);
void print(const AnswerOfRanks& answer);
void print_tuning_header();
void print(const TuningGain& gain);

/// What was found, all in one file: either of the two lists may be empty. The keys are those of docs/performance.md.
/// Throws OutputError.
void write_json(AtomicFile& file, const core::DeviceInfo& device, const rtcg::Ceilings& ceilings,
                const std::vector<Answer>& answers, const std::vector<TuningGain>& gains);

/// The same of several ranks: the first one's device, and a list `on_ranks`.
void write_json(AtomicFile& file, const core::DeviceInfo& device, const std::vector<AnswerOfRanks>& answers);

}  // namespace maxwell_dg::bench
