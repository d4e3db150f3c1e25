#pragma once

#include <cctype>

namespace maxwell_dg::rtcg {

/// Whether names are made of it: a letter, a digit or an underscore.
[[nodiscard]] inline bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace maxwell_dg::rtcg
