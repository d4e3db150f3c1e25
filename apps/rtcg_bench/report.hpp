#pragma once

#include <filesystem>
#include <vector>

#include "apps/rtcg_bench/bench.hpp"
#include "core/device/device.hpp"

namespace maxwell_dg::bench {

void print_ceilings(const core::DeviceInfo& device, const rtcg::Ceilings& ceilings);
void print_header();
void print(const Answer& answer, const rtcg::Ceilings& ceilings);

/// {device, ceilings, results: [{name, size, seconds, gb_per_second, copy_fraction, elements_per_second, limit_seconds,
/// peer_seconds, host_seconds, speed_up_over_host, remark}]}; null where there is none. Throws OutputError.
void write_json(const std::filesystem::path& file, const core::DeviceInfo& device, const rtcg::Ceilings& ceilings,
                const std::vector<Answer>& answers);

}  // namespace maxwell_dg::bench
