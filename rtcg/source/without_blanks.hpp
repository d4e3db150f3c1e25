#pragma once

#include <cstddef>
#include <string_view>

namespace maxwell_dg::rtcg {

/// From the first character on that is neither a blank nor a tab.
[[nodiscard]] inline std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

}  // namespace maxwell_dg::rtcg
