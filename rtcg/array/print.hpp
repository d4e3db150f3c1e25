#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "rtcg/array/device_array.hpp"

namespace maxwell_dg::rtcg {

struct PrintOptions {
  int precision = 8;              ///< digits behind the point at most
  std::int64_t threshold = 1000;  ///< arrays of more elements are summarised
  std::int64_t edge_items = 3;    ///< elements at each end of an axis that a summary shows
  std::size_t line_width = 75;
};

/// The numbers as NumPy prints them: rows in brackets, columns aligned, as few digits as tell a number from its
/// neighbours. Of an array that is summarised only its edges come to the host.
[[nodiscard]] std::string to_string(const DeviceArray& array, const PrintOptions& options = {});

std::ostream& operator<<(std::ostream& out, const DeviceArray& array);

}  // namespace maxwell_dg::rtcg
