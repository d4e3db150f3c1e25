#pragma once

#include <optional>

#include "rtcg/array/device_array.hpp"
#include "rtcg/sparse/csr_matrix.hpp"

namespace maxwell_dg::bench {

/// Device seconds of y = A x by NVIDIA's cuSPARSE, in CSR with indices of 32 bits and its own choice of algorithm; none
/// where the device is not CUDA's or the library is not found. Throws DeviceError when a call of it fails.
[[nodiscard]] std::optional<double> cusparse_seconds(const rtcg::Context& context,
                                                     const rtcg::CsrMatrix<float>& matrix);

}  // namespace maxwell_dg::bench
