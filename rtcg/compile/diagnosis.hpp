#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace maxwell_dg::rtcg {

/// Where a compiler stumbled first, in the numbering of the `#line` directives it saw.
struct Diagnosis {
  std::string file;
  int line{};
  std::string message;
};

/// The first error in a log of NVRTC (`FILE(3): error: ...`), of clang and the OpenCL compilers made from it
/// (`FILE:3:5: error: ...`), or of PoCL (`error: FILE:3:5: ...`).
[[nodiscard]] std::optional<Diagnosis> first_error(std::string_view log);

/// Line `number` of `text`, counted from 1, without its newline; empty past the end.
[[nodiscard]] std::string_view line_of(std::string_view text, int number);

}  // namespace maxwell_dg::rtcg
