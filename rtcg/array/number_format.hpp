#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// The numbers as texts of one width, as NumPy shows them in a column.
template <Element T>
[[nodiscard]] std::vector<std::string> aligned_numbers(std::span<const T> values, int precision);

}  // namespace maxwell_dg::rtcg
