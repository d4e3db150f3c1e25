#include "dg/mesh/cad_unit.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr double inch = 0.0254;

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) throw MeshError(file.string() + ": cannot be read to its end");
  return text;
}

/// The number that a text begins with.
template <class Number>
std::optional<Number> leading_number(std::string_view text) {
  Number number{};
  const auto [_, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

// --- STEP (ISO 10303-21): statements `#number = entity;`
// --------------------------------------------------------------

/// Statements without blanks, texts in quotes left out, which may hold anything.
template <class Take>
void visit_statements(std::string_view text, const Take& take) {
  std::string statement;
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '\'') is_quoted = !is_quoted;
    if (is_quoted || std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    if (c != ';') {
      statement += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      continue;
    }
    take(std::string_view(statement));
    statement.clear();
  }
}

std::optional<std::string_view> behind(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  return at == std::string_view::npos ? std::nullopt : std::optional(text.substr(at + word.size()));
}

class StepUnits {
 public:
  explicit StepUnits(std::string_view text) {
    visit_statements(text, [&](std::string_view statement) {
      const std::size_t equals = statement.find('=');
      if (!statement.starts_with('#') || equals == std::string_view::npos) return;
      const auto body = statement.substr(equals + 1);
      if (body.find("LENGTH_") != std::string_view::npos) {
        if (const auto number = leading_number<int>(statement.substr(1))) entities_.emplace(*number, body);
      }
      if (const auto list = behind(body, "GLOBAL_UNIT_ASSIGNED_CONTEXT((")) {
        const auto numbers = references(list->substr(0, list->find(')')));
        used_.insert(used_.end(), numbers.begin(), numbers.end());
      }
    });
  }

  [[nodiscard]] std::set<double> in_use() const {
    std::set<double> units;
    for (const int number : used_) {
      if (const auto unit = metres(number, most_steps)) units.insert(*unit);
    }
    return units;
  }

 private:
  static constexpr int most_steps = 8;  ///< from a unit to the one that it is a multiple of

  static std::vector<int> references(std::string_view text) {
    std::vector<int> numbers;
    for (auto rest = behind(text, "#"); rest; rest = behind(*rest, "#")) {
      if (const auto number = leading_number<int>(*rest)) numbers.push_back(*number);
    }
    return numbers;
  }

  [[nodiscard]] std::optional<double> metres(int number, int steps) const {
    const auto found = entities_.find(number);
    if (found == entities_.end() || steps == 0) return std::nullopt;
    const std::string_view body = found->second;
    if (body.find("LENGTH_UNIT") == std::string_view::npos) return std::nullopt;
    if (const auto prefix = behind(body, "SI_UNIT(")) return si_prefix(prefix->substr(0, prefix->find(',')));
    const auto conversion = behind(body, "CONVERSION_BASED_UNIT(");
    const auto measures = conversion ? references(*conversion) : std::vector<int>{};
    return measures.empty() ? std::nullopt : multiple(measures.front(), steps);
  }

  /// Of LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4), #unit), the measure's name left out or not.
  [[nodiscard]] std::optional<double> multiple(int number, int steps) const {
    const auto found = entities_.find(number);
    if (found == entities_.end()) return std::nullopt;
    auto value = behind(found->second, "LENGTH_MEASURE(");
    if (!value) value = behind(found->second, "WITH_UNIT(");
    const auto factor = value ? leading_number<double>(*value) : std::nullopt;
    const auto units = references(found->second);
    const auto unit = units.empty() ? std::nullopt : metres(units.back(), steps - 1);
    if (!factor || !unit || !(*factor * *unit > 0)) return std::nullopt;
    return *factor * *unit;
  }

  static std::optional<double> si_prefix(std::string_view prefix) {
    static const std::map<std::string_view, double> factors{
        {"$", 1},          {".KILO.", 1e3},   {".HECTO.", 1e2}, {".DECA.", 1e1},   {".DECI.", 1e-1}, {".CENTI.", 1e-2},
        {".MILLI.", 1e-3}, {".MICRO.", 1e-6}, {".NANO.", 1e-9}, {".PICO.", 1e-12}, {".MEGA.", 1e6}};
    const auto found = factors.find(prefix);
    return found == factors.end() ? std::nullopt : std::optional(found->second);
  }

  std::map<int, std::string> entities_;  ///< units and measures of length, by number
  std::vector<int> used_;                ///< the units of all contexts, of length or of others
};

// --- IGES: lines of 80 columns, those of the global section with a G in column 73
// -------------------------------------

std::string global_section(std::string_view text) {
  constexpr std::size_t letter = 72;
  std::string section;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.size() <= letter) continue;
    if (line[letter] == 'G') section += line.substr(0, letter);
    if (line[letter] == 'D') break;
  }
  return section;
}

/// Parameters between delimiters, of which the first two parameters may name others; a text is given as 4HTEXT.
std::vector<std::string> parameters(std::string_view section) {
  std::vector<std::string> list;
  char between = ',', at_end = ';';
  while (!section.empty()) {
    while (section.starts_with(' ')) section.remove_prefix(1);
    std::size_t digits = 0;
    while (digits < section.size() && std::isdigit(static_cast<unsigned char>(section[digits])) != 0) ++digits;
    std::string parameter;
    if (digits > 0 && digits < section.size() && section[digits] == 'H') {
      const std::size_t count = leading_number<std::size_t>(section).value_or(0);
      parameter = section.substr(digits + 1, count);
      section.remove_prefix(std::min(section.size(), digits + 1 + std::min(count, section.size())));
    }
    std::size_t end = 0;
    while (end < section.size() && section[end] != between && section[end] != at_end) ++end;
    parameter += section.substr(0, end);
    list.push_back(parameter);
    if (list.size() == 1 && !parameter.empty()) between = parameter[0];
    if (list.size() == 2 && !parameter.empty()) at_end = parameter[0];
    if (end >= section.size() || section[end] == at_end) break;
    section.remove_prefix(end + 1);
  }
  return list;
}

std::set<double> iges_units(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 11> units{{{"INCH", inch},
                                                                              {"MM", 1e-3},
                                                                              {"", 0},  // its name says which
                                                                              {"FT", 12 * inch},
                                                                              {"MI", 63360 * inch},
                                                                              {"M", 1},
                                                                              {"KM", 1e3},
                                                                              {"MIL", 1e-3 * inch},
                                                                              {"UM", 1e-6},
                                                                              {"CM", 1e-2},
                                                                              {"UIN", 1e-6 * inch}}};
  constexpr std::size_t flag = 13, name = 14, flag_of_a_name = 3;
  const auto list = parameters(global_section(text));
  if (list.size() <= name) return {};
  const auto number = leading_number<std::size_t>(list[flag]);
  if (number && *number >= 1 && *number <= units.size() && *number != flag_of_a_name) {
    return {units.at(*number - 1).second};
  }
  for (const auto& [word, metres] : units) {
    if (!word.empty() && (list[name] == word || (word == "INCH" && list[name] == "IN"))) return {metres};
  }
  return {};
}

}  // namespace

std::set<double> length_units(const std::filesystem::path& file, MeshFileKind kind) {
  if (kind == MeshFileKind::step) return StepUnits(content_of(file)).in_use();
  if (kind == MeshFileKind::iges) return iges_units(content_of(file));
  return {};
}

}  // namespace maxwell_dg::dg
