#include "rtcg/source/expression.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/suggest.hpp"
#include "rtcg/source/expression_tree.hpp"

namespace maxwell_dg::rtcg {

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;

std::vector<std::string> known_names(const NameScope& innermost) {
  std::vector<std::string> names{"true", "false"};
  for (const NameScope* scope = &innermost; scope != nullptr; scope = scope->outer) {
    for (const auto& [name, value] : scope->values) names.push_back(name);
    for (const auto& [name, function] : scope->functions) names.push_back(name);
  }
  for (const auto& [name, function] : built_in_functions()) names.push_back(name);
  return names;
}

std::string listed(const Record& values) {
  std::string names;
  for (const auto& [name, value] : values) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "none" : names;
}

class Interpreter {
 public:
  Interpreter(std::string_view text, const Place& place) : text_(text), place_(place) {}

  [[nodiscard]] Value evaluate(const Node& node, const NameScope& scope) const {
    // What the operations throw knows no place; this is where it gets one.
    try {
      return value_of(node, scope);
    } catch (const std::invalid_argument& error) {
      fail(node, error.what());
    }
  }

  [[nodiscard]] std::vector<Value> evaluate_all(const std::vector<Node>& nodes, const NameScope& scope) const {
    std::vector<Value> values;
    values.reserve(nodes.size());
    for (const Node& node : nodes) values.push_back(evaluate(node, scope));
    return values;
  }

 private:
  [[noreturn]] void fail(const Node& node, const std::string& what) const { fail_in(text_, place_, node.offset, what); }

  [[nodiscard]] Value value_of(const Node& node, const NameScope& scope) const {
    const auto child = [&](std::size_t i) { return evaluate(node.children.at(i), scope); };
    switch (node.kind) {
      case Kind::constant: return node.value;
      case Kind::name: return named(node, scope);
      case Kind::list: return evaluate_all(node.children, scope);
      case Kind::record: return record(node, scope);
      case Kind::negation: return arithmetic("-", Value(0), child(0));
      case Kind::arithmetic: return arithmetic(node.words[0], child(0), child(1));
      case Kind::comparison: return comparison(node, scope);
      case Kind::logical_not: return !condition(node.children[0], scope);
      case Kind::logical_and:
        return std::ranges::all_of(node.children, [&](const Node& part) { return condition(part, scope); });
      case Kind::logical_or:
        return std::ranges::any_of(node.children, [&](const Node& part) { return condition(part, scope); });
      case Kind::conditional: return child(condition(node.children[1], scope) ? 0 : 2);
      case Kind::index: return indexed(child(0), child(1));
      case Kind::slice: return sliced(node, scope);
      case Kind::field: return field(child(0), node.words[0]);
      case Kind::call: return called(node, scope);
      case Kind::comprehension: return comprehension(node, scope);
    }
    return {};
  }

  [[nodiscard]] bool condition(const Node& node, const NameScope& scope) const {
    const Value value = evaluate(node, scope);
    if (!value.is_boolean()) fail(node, "a condition is a bool; this is " + value.description());
    return value.boolean();
  }

  [[nodiscard]] Value named(const Node& node, const NameScope& scope) const {
    if (const Value* value = scope.find_value(node.words[0])) return *value;
    if (scope.find_function(node.words[0]) != nullptr) fail(node, "'" + node.words[0] + "' is a function: call it");
    fail(node, "no value for '" + node.words[0] + "'" + core::did_you_mean(node.words[0], known_names(scope)));
  }

  [[nodiscard]] Value called(const Node& node, const NameScope& scope) const {
    const NamedFunction* function = scope.find_function(node.words[0]);
    if (function == nullptr) {
      fail(node, "no function '" + node.words[0] + "'" + core::did_you_mean(node.words[0], known_names(scope)));
    }
    const std::vector<Value> arguments = evaluate_all(node.children, scope);
    try {
      return (*function)(arguments);
    } catch (const std::invalid_argument& error) {
      fail(node, node.words[0] + "(): " + error.what());
    }
  }

  [[nodiscard]] Value record(const Node& node, const NameScope& scope) const {
    Record fields;
    for (std::size_t i = 0; i < node.words.size(); ++i) fields[node.words[i]] = evaluate(node.children[i], scope);
    return fields;
  }

  [[nodiscard]] Value comparison(const Node& node, const NameScope& scope) const {
    Value left = evaluate(node.children[0], scope);
    for (std::size_t i = 0; i < node.words.size(); ++i) {
      Value right = evaluate(node.children[i + 1], scope);
      if (!compare(node.words[i], left, right)) return false;
      left = std::move(right);
    }
    return true;
  }

  // As in Python, -1 is the last one.
  static std::size_t position(std::int64_t i, std::size_t size) {
    const std::int64_t n = static_cast<std::int64_t>(size);
    const std::int64_t from_front = i < 0 ? i + n : i;
    if (from_front < 0 || from_front >= n) {
      throw std::invalid_argument("index " + std::to_string(i) + " is outside of " + std::to_string(size) + " items");
    }
    return static_cast<std::size_t>(from_front);
  }

  static Value indexed(const Value& of, const Value& which) {
    if (of.is_record()) return field(of, which.text());
    if (of.is_text()) return std::string(1, of.text()[position(which.integer(), of.text().size())]);
    return of.list()[position(which.integer(), of.list().size())];
  }

  [[nodiscard]] Value sliced(const Node& node, const NameScope& scope) const {
    const Value of = evaluate(node.children[0], scope);
    const std::size_t size = of.is_text() ? of.text().size() : of.list().size();
    const auto bound = [&](const Node& end, std::size_t otherwise) {
      if (!end.words.empty() && end.kind == Kind::constant) return otherwise;
      const std::int64_t n = static_cast<std::int64_t>(size);
      const std::int64_t i = evaluate(end, scope).integer();
      return static_cast<std::size_t>(std::clamp<std::int64_t>(i < 0 ? i + n : i, 0, n));
    };
    const std::size_t begin = bound(node.children[1], 0);
    const std::size_t end = std::max(begin, bound(node.children[2], size));
    if (of.is_text()) return of.text().substr(begin, end - begin);
    const Value::List& all = of.list();
    return Value::List(all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
  }

  static Value field(const Value& of, const std::string& name) {
    const Record& fields = of.record();
    const auto found = fields.find(name);
    if (found == fields.end()) throw std::invalid_argument("no field '" + name + "'; there are: " + listed(fields));
    return found->second;
  }

  [[nodiscard]] Value comprehension(const Node& node, const NameScope& scope) const {
    Value::List items;
    const Value over = evaluate(node.children[1], scope);
    for (const Value& item : over.list()) {
      NameScope inner{.outer = &scope};
      bind_variables(inner, node.words, item);
      if (node.children.size() == 3 && !condition(node.children[2], inner)) continue;
      items.push_back(evaluate(node.children[0], inner));
    }
    return items;
  }

  std::string_view text_;
  const Place& place_;
};

void collect_names(const Node& node, std::set<std::string>& free) {
  if (node.kind == Kind::name || node.kind == Kind::call) free.insert(node.words[0]);
  std::set<std::string> inside;
  for (const Node& child : node.children) collect_names(child, inside);
  if (node.kind == Kind::comprehension) {
    for (const std::string& variable : node.words) inside.erase(variable);
    collect_names(node.children[1], inside);  // the list is outside of the variables' reach
  }
  free.merge(inside);
}

}  // namespace

void fail_in(std::string_view text, const Place& place, std::size_t offset, const std::string& what) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t column =
      newline == std::string_view::npos ? offset + static_cast<std::size_t>(place.column) : offset - newline;
  throw CompileError(place.name + ":" + std::to_string(place.line + lines) + ":" + std::to_string(column) + ": " +
                     what);
}

const Value* NameScope::find_value(std::string_view name) const {
  for (const NameScope* scope = this; scope != nullptr; scope = scope->outer) {
    if (const auto found = scope->values.find(name); found != scope->values.end()) return &found->second;
  }
  return nullptr;
}

const NamedFunction* NameScope::find_function(std::string_view name) const {
  for (const NameScope* scope = this; scope != nullptr; scope = scope->outer) {
    if (const auto found = scope->functions.find(name); found != scope->functions.end()) return &found->second;
  }
  const auto built_in = built_in_functions().find(name);
  return built_in == built_in_functions().end() ? nullptr : &built_in->second;
}

void bind_variables(NameScope& scope, std::span<const std::string> names, const Value& item) {
  if (names.size() == 1) {
    scope.values[names[0]] = item;
    return;
  }
  const Value::List& parts = item.list();
  if (parts.size() != names.size()) {
    throw std::invalid_argument(std::to_string(names.size()) + " variables for a list of " +
                                std::to_string(parts.size()));
  }
  for (std::size_t i = 0; i < names.size(); ++i) scope.values[names[i]] = parts[i];
}

Expression::Expression(std::string_view text, Place place) {
  std::size_t length = 0;
  *this = prefix(text, std::move(place), length);
  if (length < text.size()) {
    fail_in(text, place_, length, std::string("expected the end of the expression, found '") + text[length] + "'");
  }
}

Expression Expression::prefix(std::string_view text, Place place, std::size_t& length) {
  ParsedExpression parsed = parse_expression(text, place);
  length = parsed.end;
  Expression expression;
  expression.text_ = text.substr(0, parsed.end);
  expression.place_ = std::move(place);
  expression.root_ = std::make_shared<const Node>(std::move(parsed.root));
  return expression;
}

Value Expression::evaluate(const NameScope& scope) const {
  return Interpreter(text_, place_).evaluate(*root_, scope);
}

Value Expression::evaluate(const Record& values) const {
  return evaluate(NameScope{.values = values});
}

std::vector<std::string> Expression::names() const {
  std::set<std::string> free;
  collect_names(*root_, free);
  return {free.begin(), free.end()};
}

std::optional<std::string> Expression::called() const {
  if (root_->kind != Kind::call) return std::nullopt;
  return root_->words[0];
}

std::vector<Value> Expression::arguments(const NameScope& scope) const {
  return Interpreter(text_, place_).evaluate_all(root_->children, scope);
}

void Expression::fail(const std::string& what) const {
  fail_in(text_, place_, root_->offset, what);
}

}  // namespace maxwell_dg::rtcg
