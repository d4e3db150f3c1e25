#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rtcg/array/context.hpp"

namespace maxwell_dg::bench {

/// Device seconds of CuPy for the rows of run_elementwise, by name, measured in a Python of its own; none where the
/// device is not CUDA's, or where `python3` has no CuPy.
[[nodiscard]] std::map<std::string, double> cupy_seconds(const rtcg::Context& context, std::int64_t elements);

}  // namespace maxwell_dg::bench
