#include "dg/operator/schedule.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <stdexcept>

namespace maxwell_dg::dg {

std::string Schedule::name() const {
  if (slicing == Slicing::lanes_in_vectors) return "lanes" + std::to_string(lanes);
  if (slicing == Slicing::element_tiles) {
    return std::string(products == Products::tensor_cores ? "tensor" : "tiles") + "_e" +
           std::to_string(elements_per_group) + "_w" + std::to_string(warps) + "_r" + std::to_string(resident_groups) +
           (parts == Parts::apart ? "_apart" : "");
  }
  return "nodes_e" + std::to_string(elements_per_group) + "_pad" + std::to_string(node_padding);
}

Schedule Schedule::tiles(const std::string& name, Dtype precision) {
  static const std::regex pattern("(tensor|tiles)_e([0-9]+)_w([0-9]+)_r([0-9]+)(_apart)?");
  std::smatch part;
  if (!std::regex_match(name, part, pattern)) {
    throw std::invalid_argument("'" + name + "' is no schedule of element tiles; they look like tensor_e16_w3_r4");
  }
  return {.slicing = Slicing::element_tiles,
          .block_padding = 16 / static_cast<int>(size_of(precision)),
          .elements_per_group = std::stoi(part[2]),
          .products = part[1] == "tensor" ? Products::tensor_cores : Products::multiply_add,
          .parts = part[5].matched ? Parts::apart : Parts::together,
          .warps = std::stoi(part[3]),
          .resident_groups = std::stoi(part[4])};
}

namespace {

/// 90 for "sm_90"; 0 on other backends.
int cuda_architecture(const core::DeviceInfo& device) {
  return device.backend == core::Backend::cuda ? std::stoi(device.architecture.substr(3)) : 0;
}

/// The fastest seen on an H200, [order - 1]. On chip, 16 elements of order 8 and 9 are too many in double precision.
constexpr std::array single_tiles{"tensor_e16_w2_r12_apart", "tensor_e32_w4_r5_apart",  "tensor_e16_w4_r5_apart",
                                  "tensor_e16_w4_r4_apart",  "tensor_e16_w4_r3",        "tensor_e16_w6_r2",
                                  "tensor_e16_w8_r2",        "tensor_e16_w12_r1_apart", "tensor_e16_w14_r1"};
constexpr std::array double_tiles{"tensor_e32_w4_r4_apart", "tensor_e16_w4_r4_apart", "tensor_e16_w4_r3_apart",
                                  "tensor_e16_w6_r2_apart", "tensor_e16_w4_r1",       "tensor_e16_w12_r1_apart",
                                  "tensor_e16_w8_r1",       "tensor_e8_w11_r1",       "tensor_e8_w14_r1"};

}  // namespace

Schedule default_schedule(const core::DeviceInfo& device, int N, int fields, Dtype precision) {
  if (device.is_cpu) {
    const int bytes = std::max(device.vector_bytes, 16);
    return {.slicing = Schedule::Slicing::lanes_in_vectors, .lanes = bytes / static_cast<int>(size_of(precision))};
  }
  if (cuda_architecture(device) >= (precision == Dtype::float32 ? 80 : 90)) {
    return Schedule::tiles(
        (precision == Dtype::float32 ? single_tiles : double_tiles).at(static_cast<std::size_t>(N) - 1), precision);
  }
  // About 128 work-items a group, as long as the staged fluxes leave room for several groups a multiprocessor.
  const int Np = (N + 1) * (N + 2) * (N + 3) / 6;
  const int Nfp = (N + 1) * (N + 2) / 2;
  const int flux_bytes = fields * 4 * Nfp * static_cast<int>(size_of(precision));
  const int elements = std::clamp(128 / Np, 1, std::max(1, 24 * 1024 / flux_bytes));
  return {.slicing = Schedule::Slicing::nodes_in_parallel, .elements_per_group = elements};
}

}  // namespace maxwell_dg::dg
