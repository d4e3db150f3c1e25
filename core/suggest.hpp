#pragma once

#include <span>
#include <string>
#include <string_view>

namespace maxwell_dg::core {

/// The word of `known` nearest to `word` by edit distance (insert, delete, replace, swap neighbours; a difference in
/// case alone counts as near), or "" when none is near enough to be what was meant. O(|word| |known|).
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> known);

/// "; did you mean 'every'?", or "" when nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace maxwell_dg::core
