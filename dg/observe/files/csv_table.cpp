#include "dg/observe/files/csv_table.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <utility>

#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = 0;
  for (std::size_t comma = 0; comma != std::string::npos; begin = comma + 1) {
    comma = line.find(',', begin);
    cells.push_back(line.substr(begin, comma == std::string::npos ? comma : comma - begin));
  }
  return cells;
}

double number_in(const std::string& text, const std::string& place) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) throw ConfigError(place + "no number: " + text);
  return value;
}

}  // namespace

CsvTable::CsvTable(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  std::string line;
  if (!in || !std::getline(in, line)) throw ConfigError(file_.string() + ": cannot be read; run the simulation first");
  names_ = split(line);
  columns_.resize(names_.size());
  for (std::size_t row = 2; std::getline(in, line); ++row) {
    const std::vector<std::string> cells = split(line);
    const std::string place = file_.string() + ":" + std::to_string(row) + ": ";
    if (cells.size() != names_.size()) throw ConfigError(place + "not as many cells as column names");
    for (std::size_t c = 0; c < cells.size(); ++c) columns_[c].push_back(number_in(cells[c], place));
  }
}

const std::vector<double>& CsvTable::column(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) throw ConfigError(file_.string() + ": has no column " + name);
  return columns_[static_cast<std::size_t>(found - names_.begin())];
}

}  // namespace maxwell_dg::dg
