#include "dg/operator/schedule.hpp"

#include <algorithm>

namespace maxwell_dg::dg {

std::string Schedule::name() const {
  if (slicing == Slicing::lanes_in_vectors) return "lanes" + std::to_string(lanes);
  return "nodes_e" + std::to_string(elements_per_group) + "_pad" + std::to_string(node_padding);
}

Schedule default_schedule(const core::DeviceInfo& device, int N, int fields, Dtype precision) {
  if (device.is_cpu) {
    const int bytes = std::max(device.vector_bytes, 16);
    return {.slicing = Schedule::Slicing::lanes_in_vectors, .lanes = bytes / static_cast<int>(size_of(precision))};
  }
  // About 128 work-items a group, as long as the staged fluxes leave room for several groups a multiprocessor.
  const int Np = (N + 1) * (N + 2) * (N + 3) / 6;
  const int Nfp = (N + 1) * (N + 2) / 2;
  const int flux_bytes = fields * 4 * Nfp * static_cast<int>(size_of(precision));
  const int elements = std::clamp(128 / Np, 1, std::max(1, 24 * 1024 / flux_bytes));
  return {.slicing = Schedule::Slicing::nodes_in_parallel, .elements_per_group = elements};
}

}  // namespace maxwell_dg::dg
