#pragma once

#include <optional>

#include "rtcg/array/device_array.hpp"

namespace maxwell_dg::bench {

/// Device seconds of c = a b of square float32 matrices by NVIDIA's cuBLAS, in single precision throughout; none where
/// the device is not CUDA's or the library is not found. Throws DeviceError when a call of it fails.
[[nodiscard]] std::optional<double> cublas_seconds(const rtcg::DeviceArray& a, const rtcg::DeviceArray& b,
                                                   const rtcg::DeviceArray& c);

}  // namespace maxwell_dg::bench
