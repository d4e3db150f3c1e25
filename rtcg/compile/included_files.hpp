#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace maxwell_dg::rtcg {

/// Every file that `text` may include, directly or not, from `directories` (and, in quotes, from beside the file that
/// includes it): path and content, in the order in which they are met, each once. Conditions are not evaluated, so it
/// may be more than the compiler reads; what is found nowhere is left to the compiler. Names in `in_memory` are not
/// looked for.
[[nodiscard]] std::vector<std::pair<std::filesystem::path, std::string>> included_files(
    const std::string& text, std::span<const std::filesystem::path> directories,
    std::span<const std::pair<std::string, std::string>> in_memory);

}  // namespace maxwell_dg::rtcg
