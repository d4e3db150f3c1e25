#include "apps/help.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <sstream>

namespace maxwell_dg {
namespace {

constexpr std::size_t column = 28, width = 100;

/// "--device SPEC": what the option takes without what it checks, which CLI11 puts behind a colon.
std::string left_side(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  std::string name = option.get_name(option.get_positional(), !option.get_positional());
  if (const std::size_t comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
  return "  " + name + (option.get_type_size() > 0 && !type.empty() ? " " + type.substr(0, type.find(':')) : "");
}

/// In lines of at most `width`, behind the column where descriptions begin.
std::string wrapped(const std::string& description) {
  std::istringstream words(description);
  std::string text, word;
  std::size_t length = column;
  while (words >> word) {
    if (length > column && length + 1 + word.size() > width) {
      text += "\n" + std::string(column, ' ');
      length = column;
    }
    text += (length > column ? " " : "") + word;
    length += word.size() + 1;
  }
  return text;
}

std::string entry(const CLI::Option& option) {
  std::string text = left_side(option);
  std::string description = option.get_description();
  if (!option.get_envname().empty()) description += "; default: $" + option.get_envname();
  text += text.size() + 2 > column ? "\n" + std::string(column, ' ') : std::string(column - text.size(), ' ');
  return text + wrapped(description) + "\n";
}

}  // namespace

std::string help_text(const CLI::App& app, const std::string& usage, const std::string& more) {
  std::string text = app.get_description() + "\n\n" + usage + "\n\n";
  for (const bool positional : {true, false}) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() == positional) text += entry(*option);
    }
  }
  return text + (more.empty() ? "" : "\n" + more + "\n");
}

void set_help(CLI::App& app, const std::string& usage, const std::string& more) {
  app.set_help_flag("-h, --help", "print this and leave");
  app.formatter_fn(
      [usage, more](const CLI::App* shown, std::string, CLI::AppFormatMode) { return help_text(*shown, usage, more); });
}

}  // namespace maxwell_dg
