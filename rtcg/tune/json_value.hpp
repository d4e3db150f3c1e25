#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rtcg/source/value.hpp"

namespace maxwell_dg::rtcg {

/// A value as JSON in one line; numbers read back to the same value, and so do texts that are UTF-8 (see json_text).
[[nodiscard]] std::string to_json(const Value& value);

/// Nothing for a text that is not JSON, or holds a null or an integer beyond 64 bits.
[[nodiscard]] std::optional<Value> from_json(std::string_view text);

}  // namespace maxwell_dg::rtcg
