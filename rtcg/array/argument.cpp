#include "rtcg/array/argument.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include "rtcg/array/error.hpp"
#include "rtcg/source/is_word.hpp"

namespace maxwell_dg::rtcg {

namespace {

// Words and stars.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    const std::size_t begin = i++;
    while (is_word(text[begin]) && i < text.size() && is_word(text[i])) ++i;
    parts.emplace_back(text.substr(begin, i - begin));
  }
  return parts;
}

std::optional<Dtype> type_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Dtype>, 4> of_c{
      {{"float", Dtype::float32}, {"double", Dtype::float64}, {"int", Dtype::int32}, {"unsigned", Dtype::uint32}}};
  for (const auto& [c_name, dtype] : of_c) {
    if (c_name == name) return dtype;
  }
  return dtype_named(name);
}

Argument parse_argument(std::string_view text) {
  const auto fail = [&](const std::string& why) {
    throw ArrayError("argument '" + std::string(text) + "': " + why +
                     "; write it like 'const float32* x', 'float32* z' or 'float32 a'");
  };
  std::vector<std::string> parts = split(text);
  const bool is_const = std::erase(parts, "const") > 0;
  const auto stars = std::erase(parts, "*");
  if (parts.size() != 2 || stars > 1) fail("expected a type and a name");
  const auto dtype = type_named(parts[0]);
  if (!dtype) fail("'" + parts[0] + "' is no element type");
  const auto array = is_const ? Argument::Kind::input : Argument::Kind::output;
  return {.name = parts[1], .dtype = *dtype, .kind = stars > 0 ? array : Argument::Kind::scalar};
}

}  // namespace

std::vector<Argument> parse_arguments(std::string_view text) {
  std::vector<Argument> arguments;
  if (split(text).empty()) return arguments;
  while (true) {
    const std::size_t comma = text.find(',');
    arguments.push_back(parse_argument(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  check_names(arguments);
  return arguments;
}

std::string to_string(const Argument& argument) {
  const std::string type(name_of(argument.dtype));
  if (!argument.is_array()) return type + " " + argument.name;
  return (argument.kind == Argument::Kind::input ? "const " : "") + type + "* " + argument.name;
}

namespace {

// Names that generated kernels declare in inner scopes, where they would hide an argument.
bool is_reserved(std::string_view name) {
  constexpr std::array<std::string_view, 25> reserved{
      "i",      "row",    "column", "rest",     "pack",   "lane",    "lanes", "at",      "job",
      "part",   "begin",  "end",    "value",    "values", "k",       "run",   "run_end", "first",
      "output", "mapped", "index",  "elements", "parts",  "columns", "rows"};
  return std::ranges::find(reserved, name) != reserved.end();
}

}  // namespace

void check_names(const std::vector<Argument>& arguments) {
  std::set<std::string> seen;
  for (const Argument& argument : arguments) {
    const std::string& name = argument.name;
    const bool starts_well = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
    if (!starts_well || !std::ranges::all_of(name, is_word) || is_reserved(name)) {
      throw ArrayError("argument '" + name +
                       "': a name is letters, digits and _, and none that kernels use themselves, as i and value");
    }
    if (!seen.insert(name).second) throw ArrayError("argument '" + name + "' occurs twice");
  }
}

}  // namespace maxwell_dg::rtcg
