#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "rtcg/source/expression.hpp"

namespace maxwell_dg::rtcg {

/// Kernel text with a program in it, in the manner of Mako; docs/templates.md shows it at work.
///
///   % for i, x in enumerate(list):    ... % endfor
///   % if condition:                   ... % elif condition: ... % else: ... % endif
///   % set name = expression           until the end of the block it stands in
///   % macro name(a, b):               ... % endmacro, from here on called as ${name(1, 2)}
///   ## a comment, not printed         %% at the beginning of a line is one per cent sign
///   ${expression}                     printed by source_text(); $$ is one dollar sign
///
/// A `${...}` alone on an indented line gives that indentation to every line of what it prints. Expressions are those
/// of rtcg/source/expression.hpp. `#line` directives tell the compiler which line of the template each line came from,
/// so that its errors, profilers and debuggers point there.
class Template {
 public:
  enum class LineDirectives { emitted, left_out };

  /// `name` is what errors call it. Throws CompileError "NAME:LINE:COLUMN: what" for anything that is not well formed.
  Template(std::string name, std::string_view text);

  /// Throws CompileError with the place in the template: a name without value, a value of the wrong type; and for a
  /// value that the template mentions nowhere, because a misspelt name must not pass unnoticed.
  [[nodiscard]] std::string render(const Record& values, LineDirectives directives = LineDirectives::emitted) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// The names that occur in its expressions: those to be given, and those it makes itself.
  [[nodiscard]] const std::set<std::string>& mentioned() const { return mentioned_; }

  struct Node;

 private:
  std::string name_;
  std::set<std::string> mentioned_;
  std::shared_ptr<const std::vector<Node>> body_;
};

}  // namespace maxwell_dg::rtcg
