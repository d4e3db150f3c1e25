#include "rtcg/source/substitute.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

[[noreturn]] void fail_at(std::string_view text, std::size_t at, const std::string& what) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 == 0: the first line
  throw CompileError(std::to_string(line) + ":" + std::to_string(at - line_begin + 1) + ": " + what);
}

std::string known_names(const std::map<std::string, std::string>& values) {
  std::string names;
  for (const auto& [name, value] : values) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "none" : names;
}

// Where `${name}` stands alone on its line, the blanks before it; otherwise empty.
std::string_view own_indentation(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t line_begin = text.substr(0, begin).rfind('\n') + 1;
  const std::string_view before = text.substr(line_begin, begin - line_begin);
  const bool alone =
      before.find_first_not_of(" \t") == std::string_view::npos && (end == text.size() || text[end] == '\n');
  return alone ? before : std::string_view{};
}

void append_indented(std::string& out, std::string_view value, std::string_view indentation) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    out += value[i];
    const bool line_follows = value[i] == '\n' && i + 1 < value.size() && value[i + 1] != '\n';
    if (line_follows) out += indentation;
  }
}

}  // namespace

std::string substitute(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  std::set<std::string, std::less<>> used;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t dollar = std::min(text.find('$', at), text.size());
    out += text.substr(at, dollar - at);
    if (dollar == text.size()) break;
    const char next = dollar + 1 < text.size() ? text[dollar + 1] : '\0';
    if (next == '$') {
      out += '$';
      at = dollar + 2;
      continue;
    }
    if (next != '{') fail_at(text, dollar, "stray '$': write $$ for a dollar sign, ${name} for a value");
    const std::size_t close = text.find_first_of("}\n", dollar);
    if (close == std::string_view::npos || text[close] == '\n') fail_at(text, dollar, "'${' without '}'");
    const std::string name(text.substr(dollar + 2, close - dollar - 2));
    const auto value = values.find(name);
    if (value == values.end()) fail_at(text, dollar, "no value for '" + name + "'; known: " + known_names(values));
    used.insert(name);
    append_indented(out, value->second, own_indentation(text, dollar, close + 1));
    at = close + 1;
  }
  for (const auto& [name, value] : values) {
    if (!used.contains(name)) fail_at(text, text.size(), "the text ends without having used '" + name + "'");
  }
  return out;
}

}  // namespace maxwell_dg::rtcg
