#pragma once

#include <string>
#include <vector>

namespace maxwell_dg::rtcg {

/// Where the lines of a generated text come from: for each of them a line, from 1, of one of some files.
struct LineMap {
  struct Origin {
    int file{};  ///< in `files`
    int line{};
    bool operator==(const Origin&) const = default;
  };
  std::vector<std::string> files{};  ///< in the order of their first lines
  std::vector<Origin> lines{};       ///< of the text, in their order; empty: not known
};

}  // namespace maxwell_dg::rtcg
