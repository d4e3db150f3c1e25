#include "dg/observe/files/csv_table.hpp"

#include <charconv>
#include <fstream>
#include <string>
#include <vector>

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

Table read_csv(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) throw ConfigError(file.string() + ": cannot be read; run the simulation first");
  Table table(file.string(), split(line));
  std::vector<double> values;
  for (std::size_t row = 2; std::getline(in, line); ++row) {
    const std::vector<std::string> cells = split(line);
    const std::string place = file.string() + ":" + std::to_string(row) + ": ";
    if (cells.size() != table.columns().size()) throw ConfigError(place + "not as many cells as column names");
    values.clear();
    for (const std::string& cell : cells) values.push_back(number_in(cell, place));
    table.add_row(values);
  }
  return table;
}

}  // namespace maxwell_dg::dg
