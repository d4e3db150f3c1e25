#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace maxwell_dg::core {

/// "1 element", "3 elements".
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view one, std::string_view many) {
  return std::to_string(count).append(" ").append(count == 1 ? one : many);
}

}  // namespace maxwell_dg::core
