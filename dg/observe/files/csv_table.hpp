#pragma once

#include <filesystem>

#include "dg/observe/files/table.hpp"

namespace maxwell_dg::dg {

/// A file of comma-separated numbers under one line of names, as CsvFile writes it. Throws ConfigError, with the line,
/// for a file that cannot be read or is malformed.
[[nodiscard]] Table read_csv(const std::filesystem::path& file);

}  // namespace maxwell_dg::dg
