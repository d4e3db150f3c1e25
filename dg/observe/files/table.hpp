#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// A table of numbers with named columns, stored by columns.
class Table {
 public:
  /// `name`: the table's name in messages.
  Table(std::string name, std::vector<std::string> columns);

  /// `values`: [column].
  void add_row(std::span<const double> values);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return values_.empty() ? 0 : values_.front().size(); }
  /// [column][row]
  [[nodiscard]] const std::vector<std::vector<double>>& values() const { return values_; }
  /// [row] the values of a column. Throws ConfigError if there is no column of that name.
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const;

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<double>> values_;  ///< [column][row]
};

}  // namespace maxwell_dg::dg
