#include "apps/simulation/outputs/rank_rows.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "core/resident_memory.hpp"

namespace maxwell_dg::simulation {

namespace {

using Line = std::vector<std::string>;

/// Columns side by side, the first two to the left, numbers to the right.
std::vector<std::string> aligned(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::vector<std::string> texts;
  for (const Line& line : lines) {
    std::string& text = texts.emplace_back();
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - line[i].size(), ' ');
      const bool is_name = i == 1 || i == 2;
      text += (i == 0 ? "" : "  ") + (is_name ? line[i] + blanks : blanks + line[i]);
    }
  }
  return texts;
}

/// Ranks of a host share its CPU by their threads.
std::string device_text(const core::DeviceInfo& info) {
  return info.name + (info.is_cpu ? ", " + core::counted(info.compute_units, "thread", "threads") : "");
}

}  // namespace

std::vector<RankRow> rank_rows(const Plan& plan, std::size_t compiled) {
  if (plan.ranks.size() == 1) return {};
  const std::array<std::size_t, 5> mine{plan.device_bytes, free_bytes(plan), plan.device.peak_allocated_bytes(),
                                        peak_resident_bytes(), compiled};
  const std::vector<std::string> hosts = plan.ranks.gather(core::host_name());
  const std::vector<std::string> devices = plan.ranks.gather(device_text(plan.device.info()));
  const auto bytes = plan.ranks.gather(std::as_bytes(std::span(mine)));
  std::vector<RankRow> rows;
  for (std::size_t r = 0; r < bytes.size(); ++r) {
    const std::vector<std::size_t> theirs = core::values_of<std::size_t>(bytes[r]);
    rows.push_back({.rank = static_cast<int>(r),
                    .host = hosts[r],
                    .device = devices[r],
                    .load = plan.loads[r],
                    .bytes_sent_per_stage = plan.bytes_sent_per_stage(plan.loads[r]),
                    .forecast_bytes = theirs.at(0),
                    .free_bytes = theirs.at(1),
                    .allocated_bytes = theirs.at(2),
                    .host_bytes = theirs.at(3),
                    .compiled = theirs.at(4)});
  }
  return rows;
}

std::vector<std::string> describe_partition(const Plan& plan, const std::vector<RankRow>& rows) {
  const dg::PartitionQuality& quality = plan.partition->quality;
  std::vector<std::string> lines{core::counted(rows.size(), "rank", "ranks") + ", divided by " +
                                 std::string(name_of(plan.partition->method)) + ": " +
                                 core::counted(quality.faces_cut, "face", "faces") + " cut, the costliest part is " +
                                 brief(quality.imbalance) + " times the mean"};
  std::vector<Line> table{{"rank", "host", "device", "elements", "ghosts", "faces cut", "neighbours", "sent a stage",
                           "cost/mean", "memory", "free"}};
  for (const RankRow& row : rows) {
    table.push_back({std::to_string(row.rank), row.host, row.device, std::to_string(row.load.elements),
                     std::to_string(row.load.ghosts), std::to_string(row.load.faces_cut),
                     std::to_string(row.load.neighbours), bytes_text(row.bytes_sent_per_stage), brief(row.load.cost),
                     bytes_text(row.forecast_bytes), bytes_text(row.free_bytes)});
  }
  std::ranges::copy(aligned(table), std::back_inserter(lines));
  return lines;
}

}  // namespace maxwell_dg::simulation
