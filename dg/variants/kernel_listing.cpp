#include "dg/variants/kernel_listing.hpp"

#include <algorithm>
#include <cstddef>
#include <regex>
#include <vector>

#include "dg/codegen/kernel_template.hpp"
#include "dg/schedule/choice.hpp"
#include "rtcg/source/without_blanks.hpp"

namespace maxwell_dg::dg {

namespace {

/// Where a line of a source comes from.
struct LineOrigin {
  const KernelText* from{};  ///< null: of no template
  int line{};                ///< of the template, from 1
};

/// The lines that a listing adds begin with this.
constexpr std::string_view mark = "//@";

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string_view line_of(std::string_view text, int number) {
  for (int i = 1; i < number; ++i) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  return text.substr(0, text.find('\n'));
}

/// Whether there are only directives and template comments between two lines of a template, so that the second line is
/// printed directly after the first.
bool only_steering_between(std::string_view text, int first, int second) {
  for (int i = first + 1; i < second; ++i) {
    const std::string_view line = rtcg::without_blanks(line_of(text, i));
    const bool steers = (line.starts_with('%') && !line.starts_with("%%")) || line.starts_with("##");
    if (!steers && !line.empty()) return false;
  }
  return second > first;
}

/// A run of lines of one template: from the line that the listing names to the last line that was printed.
struct Stretch {
  LineOrigin marked, last;

  /// Adds a line to the run, if it is the next one or one of the run's lines again (loops print lines several times).
  /// Returns whether it was added.
  bool takes(const LineOrigin& now) {
    if (marked.from != now.from) return false;
    if (now.from == nullptr) return true;
    if (now.line >= marked.line && now.line <= last.line) return true;
    if (!only_steering_between(now.from->text, last.line, now.line)) return false;
    last = now;
    return true;
  }
};

/// Where the lines of a source come from, as the renderer of its template says; else nowhere.
std::vector<LineOrigin> origins_of(const rtcg::KernelSource& source) {
  std::vector<LineOrigin> origins;
  for (const auto& [file, line] : source.lines.lines) {
    const std::string& path = source.lines.files.at(static_cast<std::size_t>(file));
    const auto from = std::ranges::find(kernel_texts(), path, &KernelText::path);
    origins.push_back({.from = from == kernel_texts().end() ? nullptr : &*from, .line = line});
  }
  if (origins.empty()) origins.resize(static_cast<std::size_t>(std::ranges::count(source.text, '\n')) + 1);
  return origins;
}

std::string words_for(const LineOrigin& origin) {
  if (origin.from == nullptr) return "generated: of this system, order and schedule";
  return std::string(file_name(origin.from->path)) + ":" + std::to_string(origin.line);
}

/// The files that some lines come from, in the order of their first lines.
std::vector<std::string_view> files_of(const std::vector<LineOrigin>& origins) {
  std::vector<std::string_view> files;
  for (const LineOrigin& origin : origins) {
    if (origin.from == nullptr || std::ranges::find(files, origin.from->path) != files.end()) continue;
    files.push_back(origin.from->path);
  }
  return files;
}

std::string header(const rtcg::KernelSource& source, const KernelPurpose& purpose,
                   const std::vector<LineOrigin>& origins) {
  std::string text;
  const auto line = [&](const std::string& words) { text += std::string(mark) + " " + words + "\n"; };
  line(source.name);
  std::string names;
  for (const std::string& name : kernels_in(source)) names += (names.empty() ? "" : ", ") + name;
  line("kernels: " + names);
  line("system: " + purpose.system + ", order " + std::to_string(purpose.N) + ", " +
       (purpose.precision == Dtype::float32 ? "single" : "double") + " precision");
  line("device: " + purpose.device.name + " (" + std::string(core::name_of(purpose.device.backend)) + ", " +
       purpose.device.architecture + ")");
  line("schedule: " + purpose.schedule.name());
  for (const std::string& words : in_words(purpose.schedule)) line("  " + words);
  line("templates:");
  for (const std::string_view file : files_of(origins)) line("  " + std::string(file));
  if (!source.options.empty()) {
    std::string options;
    for (const std::string& option : source.options) options += " " + option;
    line("compiler options:" + options);
  }
  line("The compiler gets this text without the lines that begin with " + std::string(mark) +
       (source.preamble == rtcg::KernelSource::Preamble::dialect ? ", behind the preamble of the dialect (dialect.h)."
                                                                 : "."));
  return text;
}

}  // namespace

std::vector<std::string> kernels_in(const rtcg::KernelSource& source) {
  static const std::regex signature(R"((?:^|\n)KERNEL\s+void\s+(?:GROUP_LIMIT\w*\([^)]*\)\s+)?(\w+)\s*\()");
  std::vector<std::string> names;
  for (std::sregex_iterator i(source.text.begin(), source.text.end(), signature), end; i != end; ++i) {
    names.push_back((*i)[1]);
  }
  return names;
}

std::string kernel_listing(const rtcg::KernelSource& source, const KernelPurpose& purpose) {
  const std::vector<LineOrigin> origins = origins_of(source);
  std::string text = header(source, purpose, origins);
  std::string_view rest = source.text;
  bool is_in_macro = false;  // no line may be added between the lines of a macro
  bool is_marked = false;
  Stretch stretch;
  for (const LineOrigin& origin : origins) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, length);
    if (!stretch.takes(origin)) is_marked = false;
    if (!is_marked && !is_in_macro && !line.empty()) {
      stretch = {.marked = origin, .last = origin};
      const std::size_t indentation = line.size() - rtcg::without_blanks(line).size();
      text += std::string(indentation, ' ') + std::string(mark) + " " + words_for(origin) + "\n";
      is_marked = true;
    }
    const bool has_end = length < rest.size();
    text += std::string(line) + (has_end ? "\n" : "");
    rest.remove_prefix(length + (has_end ? 1 : 0));
    is_in_macro = line.ends_with('\\');
  }
  return text;
}

std::string text_in_listing(std::string_view listing) {
  std::string text;
  while (!listing.empty()) {
    const std::size_t length = std::min(listing.find('\n') + 1, listing.size());
    const std::string_view line = listing.substr(0, length == 0 ? listing.size() : length);
    if (!rtcg::without_blanks(line).starts_with(mark)) text += line;
    listing.remove_prefix(line.size());
  }
  return text;
}

}  // namespace maxwell_dg::dg
