#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "rtcg/source/expression.hpp"
#include "rtcg/source/line_map.hpp"

namespace maxwell_dg::rtcg {

/// Kernel text with a program in it, in the manner of Mako; docs/templates.md shows it at work.
///
///   % for i, x in enumerate(list):    ... % endfor
///   % if condition:                   ... % elif condition: ... % else: ... % endif
///   % set name = expression           until the end of the block it stands in
///   % macro name(a, b):               ... % endmacro, from here on called as ${name(1, 2)}
///   % include 'name'                  another text, as if it stood here: its macros are known from here on
///   ## a comment, not printed         %% at the beginning of a line is one per cent sign
///   ${expression}                     printed by source_text(); $$ is one dollar sign
///
/// A `${...}` alone on an indented line gives that indentation to every line of what it prints; there it may be a list,
/// whose items are a line each. Expressions are those of rtcg/source/expression.hpp. `#line` directives tell the
/// compiler which line of the template each line came from, so that its errors, profilers and debuggers point there.
class Template {
 public:
  enum class LineDirectives { emitted, left_out };

  /// Finds the text that `% include` names; nothing where there is none.
  using Library = std::function<std::optional<std::string_view>(std::string_view name)>;

  /// `name` is what errors call it. Throws CompileError "NAME:LINE:COLUMN: what" for anything that is not well formed,
  /// and for a text that `library` does not have, or that includes itself.
  Template(std::string name, std::string_view text, const Library& library = {});

  /// Throws CompileError with the place in the template: a name without value, a value of the wrong type; and for a
  /// value that the template mentions nowhere, because a misspelt name must not pass unnoticed.
  [[nodiscard]] std::string render(const Record& values, LineDirectives directives = LineDirectives::emitted) const;

  /// A text without directives, and where its lines come from.
  struct Rendered {
    std::string text;
    LineMap lines;
  };
  /// The same, for texts whose lines are told otherwise.
  [[nodiscard]] Rendered render_with_lines(const Record& values) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// The names that occur in its expressions: those to be given, and those it makes itself.
  [[nodiscard]] const std::set<std::string>& mentioned() const { return mentioned_; }

  struct Node;
  struct PrintedLine;

 private:
  [[nodiscard]] std::vector<PrintedLine> printed_lines(const Record& values) const;

  std::string name_;
  std::set<std::string> mentioned_;
  std::shared_ptr<const std::vector<Node>> body_;
};

}  // namespace maxwell_dg::rtcg
