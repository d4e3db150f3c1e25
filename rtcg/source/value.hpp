#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// What the expressions of templates and tuners compute with: a bool, a 64-bit integer, a double, a text, a list or a
/// record of values. Immutable and cheap to copy.
class Value {
 public:
  using List = std::vector<Value>;
  using Record = std::map<std::string, Value, std::less<>>;

  // NOLINTBEGIN(google-explicit-constructor): implicit, so that `{{"n", 4}, {"type", "float32"}}` is a record.
  Value() : data_(false) {}
  template <std::same_as<bool> T>
  Value(T value) : data_(value) {}
  /// Throws std::invalid_argument for an unsigned number beyond the largest int64.
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T value) : data_(checked(value)) {}
  template <std::floating_point T>
  Value(T value) : data_(static_cast<double>(value)) {}
  Value(const char* value) : Value(std::string(value)) {}
  Value(std::string_view value) : Value(std::string(value)) {}
  Value(std::string value) : data_(std::make_shared<const std::string>(std::move(value))) {}
  Value(Dtype dtype) : Value(std::string(name_of(dtype))) {}
  Value(List value) : data_(std::make_shared<const List>(std::move(value))) {}
  Value(Record value) : data_(std::make_shared<const Record>(std::move(value))) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] bool is_boolean() const { return std::holds_alternative<bool>(data_); }
  [[nodiscard]] bool is_integer() const { return std::holds_alternative<std::int64_t>(data_); }
  [[nodiscard]] bool is_real() const { return std::holds_alternative<double>(data_); }
  [[nodiscard]] bool is_number() const { return is_integer() || is_real(); }
  [[nodiscard]] bool is_text() const { return std::holds_alternative<Text>(data_); }
  [[nodiscard]] bool is_list() const { return std::holds_alternative<Items>(data_); }
  [[nodiscard]] bool is_record() const { return std::holds_alternative<Fields>(data_); }

  /// Each throws std::invalid_argument, "expected a list, found the integer 3", when the value is something else.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] double number() const;  ///< an integer or a real
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const List& list() const;
  [[nodiscard]] const Record& record() const;

  /// Of one kind and equal; an integer equals a real of the same value.
  [[nodiscard]] friend bool operator==(const Value& a, const Value& b) { return a.equals(b); }

  /// For messages: "the integer 3", "the text 'a'", "a list of 4".
  [[nodiscard]] std::string description() const;
  /// As an expression would write it: `3`, `0.1`, `'a'`, `[1, 2]`, `{n: 3}`; reads back to the same value.
  [[nodiscard]] std::string written() const;

 private:
  using Text = std::shared_ptr<const std::string>;
  using Items = std::shared_ptr<const List>;
  using Fields = std::shared_ptr<const Record>;

  template <std::integral T>
  static std::int64_t checked(T value) {
    if (!std::in_range<std::int64_t>(value)) throw_too_large();
    return static_cast<std::int64_t>(value);
  }
  [[noreturn]] static void throw_too_large();
  [[noreturn]] void throw_not(std::string_view expected) const;
  [[nodiscard]] bool equals(const Value& other) const;

  std::variant<bool, std::int64_t, double, Text, Items, Fields> data_;
};

using Record = Value::Record;

/// What `${...}` prints into kernel text. Numbers read back to the same value, negative ones stand in parentheses; a
/// bool is 1 or 0, which the preprocessor understands too. Throws std::invalid_argument for a list or a record.
[[nodiscard]] std::string source_text(const Value& value);

}  // namespace maxwell_dg::rtcg
