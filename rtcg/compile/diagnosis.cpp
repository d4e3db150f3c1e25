#include "rtcg/compile/diagnosis.hpp"

#include <array>
#include <regex>
#include <sstream>

namespace maxwell_dg::rtcg {

std::optional<Diagnosis> first_error(std::string_view log) {
  // Three groups each: file, line, message. A file name may hold anything, so the first number that fits ends it.
  static const std::array<std::regex, 3> forms{
      std::regex(R"(^(.+?)\((\d+)\): (?:catastrophic )?error(?: #\S+)?: (.*)$)"),
      std::regex(R"(^(.+?):(\d+):\d+: (?:fatal )?error: (.*)$)"),
      std::regex(R"(^error: (.+?):(\d+):\d+: (.*)$)"),
  };
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") == std::string::npos || line.size() > 4000) continue;  // std::regex recurses per character
    for (const std::regex& form : forms) {
      std::smatch match;
      if (std::regex_match(line, match, form)) return Diagnosis{match[1], std::stoi(match[2]), match[3]};
    }
  }
  return std::nullopt;
}

std::string_view line_of(std::string_view text, int number) {
  std::size_t begin = 0;
  for (int i = 1; i < number; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace maxwell_dg::rtcg
