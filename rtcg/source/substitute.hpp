#pragma once

#include <map>
#include <string>
#include <string_view>

namespace maxwell_dg::rtcg {

/// Replaces `${name}` by `values.at(name)`; `$$` is one dollar sign. A name without a value, and a value that the
/// text never uses, throw CompileError with line and column: a misspelt keyword must not pass unnoticed.
/// A `${name}` alone on an indented line gets that indentation on every line of its value.
[[nodiscard]] std::string substitute(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace maxwell_dg::rtcg
