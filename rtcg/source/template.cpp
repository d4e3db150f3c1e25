#include "rtcg/source/template.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "rtcg/source/expression_tree.hpp"
#include "rtcg/source/line_directive.hpp"
#include "rtcg/source/template_tree.hpp"

namespace maxwell_dg::rtcg {

/// What it printed, and the line that it came from.
struct Template::PrintedLine {
  std::string text;
  const std::string* file{};
  int line{};
};

namespace {

using PrintedLine = Template::PrintedLine;
using Printed = std::vector<PrintedLine>;

class Renderer {
 public:
  explicit Renderer(const std::string& name) : file_(&name) {}

  void block(const TemplateBlock& nodes, NameScope& scope, Printed& out) {
    for (const Template::Node& node : nodes) {
      std::visit([&](const auto& what) { print(what, node.line, scope, out); }, node.what);
    }
  }

 private:
  static constexpr int deepest = 100;  // macros that call macros

  void print(const TemplateSet& set, int, NameScope& scope, Printed&) {
    scope.values[set.name] = set.value.evaluate(scope);
  }

  void print(const TemplateFor& loop, int, NameScope& scope, Printed& out) {
    const Value list = loop.list.evaluate(scope);
    if (!list.is_list()) loop.list.fail("a loop runs over a list; this is " + list.description());
    for (const Value& item : list.list()) {
      NameScope inner{.outer = &scope};
      try {
        bind_variables(inner, loop.variables, item);
      } catch (const std::invalid_argument& error) {
        loop.list.fail(error.what());
      }
      block(loop.body, inner, out);
    }
  }

  void print(const TemplateIf& choice, int, NameScope& scope, Printed& out) {
    for (const TemplateBranch& branch : choice.branches) {
      if (branch.condition && !holds(*branch.condition, scope)) continue;
      NameScope inner{.outer = &scope};
      return block(branch.body, inner, out);
    }
  }

  static bool holds(const Expression& condition, const NameScope& scope) {
    const Value value = condition.evaluate(scope);
    if (!value.is_boolean()) condition.fail("a condition is a bool; this is " + value.description());
    return value.boolean();
  }

  void print(const TemplateInclude& include, int, NameScope& scope, Printed& out) {
    const std::string* const outer = std::exchange(file_, include.file.get());
    block(include.body, scope, out);
    file_ = outer;
  }

  void print(const TemplateMacro& macro, int, NameScope& scope, Printed&) {
    // The scope outlives what is printed in it, and with that every call.
    scope.functions[macro.name] = [this, &macro, &scope](std::span<const Value> arguments) {
      Printed lines;
      expand(macro, arguments, scope, lines);
      std::string text;
      for (const PrintedLine& line : lines) text += (text.empty() ? "" : "\n") + line.text;
      return Value(std::move(text));
    };
    macros_[&scope.functions[macro.name]] = {&macro, &scope};
  }

  void expand(const TemplateMacro& macro, std::span<const Value> arguments, const NameScope& defined_in, Printed& out) {
    if (arguments.size() != macro.parameters.size()) {
      throw std::invalid_argument("takes " + std::to_string(macro.parameters.size()) + " arguments, got " +
                                  std::to_string(arguments.size()));
    }
    if (depth_ == deepest) throw std::invalid_argument("macros call each other more than 100 deep");
    NameScope inner{.outer = &defined_in};
    for (std::size_t i = 0; i < arguments.size(); ++i) inner.values[macro.parameters[i]] = arguments[i];
    ++depth_;
    const std::string* const outer = std::exchange(file_, macro.file.get());
    block(macro.body, inner, out);
    file_ = outer;
    --depth_;
  }

  void print(const TemplateLine& line, int number, NameScope& scope, Printed& out) {
    if (line.indentation) {
      const auto& expression = std::get<Expression>(line.pieces.front());
      if (!print_macro(expression, *line.indentation, scope, out)) print_alone(expression, line, number, scope, out);
      return;
    }
    std::string text;
    for (const auto& piece : line.pieces) {
      const auto* expression = std::get_if<Expression>(&piece);
      text += expression == nullptr ? std::get<std::string>(piece) : printed(*expression, scope);
    }
    out.push_back({std::move(text), file_, number});
  }

  static std::string printed(const Expression& expression, const NameScope& scope) {
    return printed(expression, expression.evaluate(scope));
  }

  static std::string printed(const Expression& expression, const Value& value) {
    try {
      return source_text(value);
    } catch (const std::invalid_argument& error) {
      expression.fail(error.what());
    }
  }

  static std::string indented(const std::string& indentation, std::string_view text) {
    return text.empty() ? std::string() : indentation + std::string(text);
  }

  void print_alone(const Expression& expression, const TemplateLine& line, int number, const NameScope& scope,
                   Printed& out) const {
    const Value value = expression.evaluate(scope);
    if (!value.is_list()) return print_lines(printed(expression, value), *line.indentation, number, out);
    for (const Value& item : value.list()) print_lines(printed(expression, item), *line.indentation, number, out);
  }

  void print_lines(std::string_view rest, const std::string& indentation, int number, Printed& out) const {
    if (rest.ends_with('\n')) rest.remove_suffix(1);
    for (;;) {
      const std::size_t length = rest.find('\n');
      out.push_back({indented(indentation, rest.substr(0, length)), file_, number});
      if (length == std::string_view::npos) return;
      rest.remove_prefix(length + 1);
    }
  }

  // A macro alone on its line keeps the places of the macro's own lines.
  bool print_macro(const Expression& expression, const std::string& indentation, const NameScope& scope, Printed& out) {
    const auto called = expression.called();
    const NamedFunction* function = called ? scope.find_function(*called) : nullptr;
    const auto macro = macros_.find(function);
    if (function == nullptr || macro == macros_.end()) return false;
    const auto [body, defined_in] = macro->second;
    Printed lines;
    try {
      expand(*body, expression.arguments(scope), *defined_in, lines);
    } catch (const std::invalid_argument& error) {
      expression.fail(*called + "(): " + error.what());
    }
    for (PrintedLine& line : lines) out.push_back({indented(indentation, line.text), line.file, line.line});
    return true;
  }

  const std::string* file_;  // whose lines are printed
  std::map<const NamedFunction*, std::pair<const TemplateMacro*, const NameScope*>> macros_;
  int depth_ = 0;
};

std::string text_of(const Printed& lines, Template::LineDirectives directives) {
  std::string out;
  const std::string* file = nullptr;
  int expected = 0;  // no line has this number: the first gets its directive
  bool continues = false;
  for (const PrintedLine& line : lines) {
    // Behind a backslash the directive would become part of the line that goes on.
    const bool is_next = line.line == expected && line.file == file;
    if (directives == Template::LineDirectives::emitted && !is_next && !continues) {
      out += line_directive(line.line, *line.file);
      expected = line.line;
      file = line.file;
    }
    out += line.text + '\n';
    continues = line.text.ends_with('\\');
    ++expected;
  }
  return out;
}

}  // namespace

Template::Template(std::string name, std::string_view text, const Library& library) : name_(std::move(name)) {
  body_ = std::make_shared<const TemplateBlock>(parse_template(name_, text, library, mentioned_));
}

std::vector<PrintedLine> Template::printed_lines(const Record& values) const {
  for (const auto& [name, value] : values) {
    if (!mentioned_.contains(name)) throw CompileError(name_ + ": the template never uses the value '" + name + "'");
  }
  NameScope scope{.values = values};
  Printed lines;
  Renderer(name_).block(*body_, scope, lines);
  return lines;
}

std::string Template::render(const Record& values, LineDirectives directives) const {
  return text_of(printed_lines(values), directives);
}

Template::Rendered Template::render_with_lines(const Record& values) const {
  const Printed lines = printed_lines(values);
  Rendered rendered{.text = text_of(lines, LineDirectives::left_out), .lines = {}};
  std::map<std::string_view, int> numbers;
  const std::string* file = nullptr;
  int number = 0;
  for (const PrintedLine& line : lines) {
    if (line.file != file) {
      file = line.file;
      const auto [found, is_new] = numbers.emplace(*file, static_cast<int>(numbers.size()));
      if (is_new) rendered.lines.files.push_back(*file);
      number = found->second;
    }
    const auto more = std::ranges::count(line.text, '\n');  // of a value that has several lines, within a line
    rendered.lines.lines.insert(rendered.lines.lines.end(), static_cast<std::size_t>(1 + more), {number, line.line});
  }
  return rendered;
}

}  // namespace maxwell_dg::rtcg
