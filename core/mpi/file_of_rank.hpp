#pragma once

#include <filesystem>

namespace maxwell_dg::core {

/// The name that a file has where each rank writes one of its own: trace.json of rank 3 is trace_r0003.json.
[[nodiscard]] std::filesystem::path file_of_rank(const std::filesystem::path& file, int rank);

}  // namespace maxwell_dg::core
