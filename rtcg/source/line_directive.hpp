#pragma once

#include <string>
#include <string_view>

namespace maxwell_dg::rtcg {

/// `#line NUMBER "FILE"` with its newline: what the next line is called from here on.
[[nodiscard]] std::string line_directive(int number, std::string_view file);

/// The text's line that its `#line` directives call `number` of `file`, the first where there are several; empty where
/// there is none. Before the first directive lines are counted from 1 and belong to `name`.
[[nodiscard]] std::string_view line_called(std::string_view text, std::string_view name, std::string_view file,
                                           int number);

}  // namespace maxwell_dg::rtcg
