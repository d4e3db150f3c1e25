#pragma once

#include <filesystem>

#include "dg/observe/files/table.hpp"

namespace maxwell_dg::dg {

/// Reads a file that CsvFile wrote: a line of names, then lines of comma-separated numbers. Throws ConfigError, with
/// the number of the line, if the file cannot be read or is malformed.
[[nodiscard]] Table read_csv(const std::filesystem::path& file);

}  // namespace maxwell_dg::dg
