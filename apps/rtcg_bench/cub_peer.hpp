#pragma once

#include <optional>

#include "rtcg/array/device_array.hpp"

/// Device seconds of NVIDIA's CUB; none where the device is not CUDA's, or where no nvcc was there to compile it. Throw
/// DeviceError when a call of it fails.
namespace maxwell_dg::bench::cub {

[[nodiscard]] std::optional<double> sum_seconds(const rtcg::DeviceArray& x);              ///< float32
[[nodiscard]] std::optional<double> scan_seconds(const rtcg::DeviceArray& x);             ///< inclusive, int32
[[nodiscard]] std::optional<double> sort_seconds(const rtcg::DeviceArray& keys);          ///< uint32
[[nodiscard]] std::optional<double> sort_pairs_seconds(const rtcg::DeviceArray& keys,     ///< uint32
                                                       const rtcg::DeviceArray& values);  ///< uint32

}  // namespace maxwell_dg::bench::cub
