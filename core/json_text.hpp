#pragma once

#include <string>

namespace maxwell_dg {

/// The text of a JSON value, indented by so many blanks, in one line where that is negative. Bytes that are no UTF-8
/// become U+FFFD: a name in a foreign encoding is no reason to lose what is written. All JSON is made here.
template <class Json>
[[nodiscard]] std::string json_text(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace maxwell_dg
