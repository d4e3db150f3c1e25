#include "core/opencl/inline_headers.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

#include "core/error.hpp"

namespace maxwell_dg::core::opencl {
namespace {

constexpr int kDeepestNesting = 64;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// What stands behind `#word`, e.g. `"a.h"` for word "include"; empty when the line is no such directive.
std::string_view directive(std::string_view line, std::string_view word) {
  line = trimmed(line);
  if (!line.starts_with('#')) return {};
  line = trimmed(line.substr(1));
  if (!line.starts_with(word)) return {};
  return trimmed(line.substr(word.size()));
}

/// The name between quotes or angle brackets, else empty.
std::string_view quoted(std::string_view text) {
  if (text.empty() || (text.front() != '"' && text.front() != '<')) return {};
  const auto end = text.find(text.front() == '"' ? '"' : '>', 1);
  return end == std::string_view::npos ? std::string_view{} : text.substr(1, end - 1);
}

class Inliner {
 public:
  explicit Inliner(const BuildRequest& request) : request_(request) {}

  std::string run() {
    append(request_.name, request_.text, 0);
    return out_.str();
  }

 private:
  const std::string* header(std::string_view name) const {
    const auto found = std::ranges::find_if(request_.headers, [&](const auto& entry) { return entry.first == name; });
    return found == request_.headers.end() ? nullptr : &found->second;
  }

  void append(const std::string& name, const std::string& text, int depth) {
    if (depth > kDeepestNesting) {
      throw DeviceError("kernel '" + request_.name + "': header '" + name +
                        "' includes itself; give it '#pragma once'");
    }
    std::string file = name;  // the author's own #line directives may change both
    std::size_t line_number = 0;
    out_ << "#line 1 \"" << file << "\"\n";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++line_number;
      if (const auto moved = directive(line, "line"); !moved.empty()) {
        follow_line_directive(moved, file, line_number);
      } else if (directive(line, "pragma") == "once") {
        once_.insert(name);
        line.clear();
      } else if (const auto included = quoted(directive(line, "include")); !included.empty()) {
        if (const std::string* found = header(included)) {
          const std::string inner(included);
          if (!once_.contains(inner)) append(inner, *found, depth + 1);
          out_ << "#line " << line_number + 1 << " \"" << file << "\"\n";
          continue;
        }
      }
      out_ << line << '\n';
    }
  }

  /// `#line N "file"` says what the next line is called.
  static void follow_line_directive(std::string_view arguments, std::string& file, std::size_t& line_number) {
    std::istringstream words{std::string(arguments)};
    std::size_t next = 0;
    if (!(words >> next) || next == 0) return;
    line_number = next - 1;
    std::string rest;
    std::getline(words, rest);
    if (const auto name = quoted(trimmed(rest)); !name.empty()) file = name;
  }

  const BuildRequest& request_;
  std::set<std::string> once_;
  std::ostringstream out_;
};

}  // namespace

std::string inline_headers(const BuildRequest& request) {
  return Inliner(request).run();
}

}  // namespace maxwell_dg::core::opencl
