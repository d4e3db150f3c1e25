#pragma once

#include <string>
#include <string_view>

namespace maxwell_dg::config {

/// What to do instead of something that this program does not have, and that users of others look for: "there are no
/// lumped ports yet: ...". `word` is a key or a word of the entry at `path` ("ports.0"). "" where nothing is known.
[[nodiscard]] std::string absent_feature(std::string_view path, std::string_view word);

}  // namespace maxwell_dg::config
