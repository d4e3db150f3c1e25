#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtcg/source/value.hpp"

namespace maxwell_dg::rtcg {

/// A function that expressions call. What is wrong with its arguments it throws as std::invalid_argument.
using NamedFunction = std::function<Value(std::span<const Value>)>;

/// The names that an expression sees: its own, then those of the scopes around it, then the built-in functions.
struct NameScope {
  Record values{};
  std::map<std::string, NamedFunction, std::less<>> functions{};
  const NameScope* outer = nullptr;

  [[nodiscard]] const Value* find_value(std::string_view name) const;
  [[nodiscard]] const NamedFunction* find_function(std::string_view name) const;
};

/// Where a text stands: the position of its first character, for messages "NAME:LINE:COLUMN: ...".
struct Place {
  std::string name;
  int line = 1;
  int column = 1;
};

/// A small typed language without side effects, written as in Python:
///
///   numbers 3, 0x10, 0.1; texts 'a' or "a"; true, false; lists [1, 2]; records {n: 3}
///   + - * / // % **, < <= > >= == != (in chains, too: 1 <= n < 8), in, not in, and, or, not, a if condition else b
///   list[i], list[i:j], record.name, function(a, b), [x * x for x in list if x > 1]
///
/// `/` always gives a real, `//` and `%` round down. Nothing is converted on the quiet but integers to reals: a
/// condition must be a bool, and a sum of a number and a text is an error. Integer overflow and division by zero are
/// errors. Built-in: abs all any ceil ceil_div ends_with enumerate float floor index_of int join keys len literal log2
/// lower max min range replace reversed round_up sorted split sqrt starts_with str strip sum upper zip.
///
/// Everything wrong is a CompileError "NAME:LINE:COLUMN: what": syntax when it is made, the rest when it is evaluated.
class Expression {
 public:
  struct Node;

  explicit Expression(std::string_view text, Place place = {.name = "expression"});

  /// Reads the longest expression at the beginning of `text`; `length` receives how much that was, blanks after it
  /// included.
  [[nodiscard]] static Expression prefix(std::string_view text, Place place, std::size_t& length);

  [[nodiscard]] Value evaluate(const NameScope& scope) const;
  [[nodiscard]] Value evaluate(const Record& values) const;

  /// The names and functions that it takes from outside, each once, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] const std::string& text() const { return text_; }

  /// When it is nothing but the call of one function: its name.
  [[nodiscard]] std::optional<std::string> called() const;
  /// The arguments of that call.
  [[nodiscard]] std::vector<Value> arguments(const NameScope& scope) const;

  /// A CompileError about this expression as a whole.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  Expression() = default;

  std::string text_;
  Place place_;
  std::shared_ptr<const Node> root_;
};

/// Throws the CompileError for what was found `offset` characters into a text that begins at `place`.
[[noreturn]] void fail_in(std::string_view text, const Place& place, std::size_t offset, const std::string& what);

}  // namespace maxwell_dg::rtcg
