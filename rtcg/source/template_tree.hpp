#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rtcg/source/template.hpp"

/// A template between its parser and its renderer. Private to this folder.
namespace maxwell_dg::rtcg {

using TemplateBlock = std::vector<Template::Node>;

struct TemplateLine {
  std::vector<std::variant<std::string, Expression>> pieces;
  /// Where the line is one expression and blanks before it: those blanks.
  std::optional<std::string> indentation;
};
struct TemplateSet {
  std::string name;
  Expression value;
};
struct TemplateFor {
  std::vector<std::string> variables;
  Expression list;
  TemplateBlock body;
};
struct TemplateBranch {
  std::optional<Expression> condition;  ///< none: else
  TemplateBlock body;
};
struct TemplateIf {
  std::vector<TemplateBranch> branches;
};
struct TemplateMacro {
  std::string name;
  std::shared_ptr<const std::string> file;  ///< in which its lines stand
  std::vector<std::string> parameters;
  TemplateBlock body;
};
struct TemplateInclude {
  std::shared_ptr<const std::string> file;
  TemplateBlock body;
};

struct Template::Node {
  int line{};
  std::variant<TemplateLine, TemplateSet, TemplateFor, TemplateIf, TemplateMacro, TemplateInclude> what;
};

/// Fills `mentioned` with every name of every expression.
[[nodiscard]] TemplateBlock parse_template(const std::string& name, std::string_view text,
                                           const Template::Library& library, std::set<std::string>& mentioned);

}  // namespace maxwell_dg::rtcg
