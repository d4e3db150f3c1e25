#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// Rows of numbers under named columns, kept by column.
class Table {
 public:
  /// `name`: what messages call it.
  Table(std::string name, std::vector<std::string> columns);

  /// A number for each column.
  void add_row(std::span<const double> values);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return values_.empty() ? 0 : values_.front().size(); }
  /// [column][row]
  [[nodiscard]] const std::vector<std::vector<double>>& values() const { return values_; }
  /// [row]. Throws ConfigError where there is no column of that name.
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const;

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<double>> values_;  ///< [column][row]
};

}  // namespace maxwell_dg::dg
