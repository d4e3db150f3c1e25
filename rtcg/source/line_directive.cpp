#include "rtcg/source/line_directive.hpp"

#include <charconv>
#include <optional>

#include "rtcg/source/without_blanks.hpp"

namespace maxwell_dg::rtcg {

namespace {

struct Directive {
  int number{};
  std::string file;  // empty: as before
};

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

std::optional<Directive> read_directive(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = without_blanks(line.substr(1));
  if (!line.starts_with("line")) return std::nullopt;
  line = without_blanks(line.substr(4));
  Directive directive;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), directive.number);
  if (error != std::errc{}) return std::nullopt;
  line = without_blanks(line.substr(static_cast<std::size_t>(end - line.data())));
  if (line.starts_with('"')) directive.file = unescaped(line.substr(1));
  return directive;
}

}  // namespace

std::string line_directive(int number, std::string_view file) {
  std::string out = "#line " + std::to_string(number) + " \"";
  for (const char c : file) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"\n";
}

std::string_view line_called(std::string_view text, std::string_view name, std::string_view file, int number) {
  std::string current(name);
  int at = 1;
  while (!text.empty()) {
    const std::size_t length = text.find('\n');
    const std::string_view line = text.substr(0, length);
    if (const auto moved = read_directive(line)) {
      at = moved->number;
      if (!moved->file.empty()) current = moved->file;
    } else if (at++ == number && current == file) {
      return line;
    }
    text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  }
  return {};
}

}  // namespace maxwell_dg::rtcg
