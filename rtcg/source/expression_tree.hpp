#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rtcg/source/expression.hpp"

/// An expression between its parser and its interpreter. Private to this folder.
namespace maxwell_dg::rtcg {

struct Expression::Node {
  enum class Kind {
    constant,       // value
    name,           // words[0]
    list,           // children
    record,         // words: keys; children: values
    negation,       // -children[0]
    arithmetic,     // words[0]: operator
    comparison,     // words: operators between the children
    logical_not,    // not children[0]
    logical_and,    // children
    logical_or,     // children
    conditional,    // children: then, condition, otherwise
    index,          // children: of what, which
    slice,          // children: of what, begin, end
    field,          // children[0].words[0]
    call,           // words[0](children)
    comprehension,  // words: variables; children: item, list, condition if there is one
  };
  Kind kind{};
  std::size_t offset{};  ///< in the text, for messages
  std::vector<std::string> words{};
  std::vector<Node> children{};
  Value value{};
};

/// The longest expression at the beginning of `text`, and where it ends.
struct ParsedExpression {
  Expression::Node root;
  std::size_t end{};
};
[[nodiscard]] ParsedExpression parse_expression(std::string_view text, const Place& place);

[[nodiscard]] const std::map<std::string, NamedFunction, std::less<>>& built_in_functions();

/// a + b and the like; std::invalid_argument where the operator does not take such values.
[[nodiscard]] Value arithmetic(std::string_view op, const Value& a, const Value& b);
[[nodiscard]] bool compare(std::string_view op, const Value& a, const Value& b);
/// Names for the variables of a loop: one takes the item, several take its parts.
void bind_variables(NameScope& scope, std::span<const std::string> names, const Value& item);

}  // namespace maxwell_dg::rtcg
