#pragma once

#include <filesystem>
#include <vector>

#include "apps/dg_bench/bench.hpp"
#include "core/device/device.hpp"

namespace maxwell_dg::bench {

void print_ceilings(const core::DeviceInfo& device, const rtcg::Ceilings& ceilings);
void print_header();
void print(const Answer& answer);

/// The keys are those of docs/user_guide.md. Throws OutputError.
void write_json(const std::filesystem::path& file, const core::DeviceInfo& device, const rtcg::Ceilings& ceilings,
                const std::vector<Answer>& answers);

}  // namespace maxwell_dg::bench
