#pragma once

#include <string_view>

namespace maxwell_dg::core {

/// The version of this build, as CMake's project() has it: "1.2.3".
[[nodiscard]] std::string_view version();

}  // namespace maxwell_dg::core
