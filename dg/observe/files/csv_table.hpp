#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// All columns of a file of comma-separated numbers under one line of names, as CsvFile writes it.
class CsvTable {
 public:
  /// Throws ConfigError, with the line, for a file that cannot be read or is malformed.
  explicit CsvTable(std::filesystem::path file);
  /// Throws ConfigError where there is none of that name.
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const;

 private:
  std::filesystem::path file_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace maxwell_dg::dg
