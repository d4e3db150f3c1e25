#include "dg/observe/files/table.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace maxwell_dg::dg {

Table::Table(std::string name, std::vector<std::string> columns)
    : name_(std::move(name)), columns_(std::move(columns)), values_(columns_.size()) {}

void Table::add_row(std::span<const double> values) {
  for (std::size_t c = 0; c < values_.size(); ++c) values_[c].push_back(values[c]);
}

const std::vector<double>& Table::column(const std::string& name) const {
  const auto found = std::ranges::find(columns_, name);
  if (found == columns_.end()) throw ConfigError(name_ + ": has no column " + name);
  return values_[static_cast<std::size_t>(found - columns_.begin())];
}

}  // namespace maxwell_dg::dg
