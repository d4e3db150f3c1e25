#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "core/device/trace.hpp"

namespace maxwell_dg::core {

/// An argument of a driver's call as a line of the trace shows it: a number, or an address.
template <class T>
[[nodiscard]] std::string trace_text(const T& value) {
  if constexpr (std::is_pointer_v<T>) {
    if (value == nullptr) return "null";
    constexpr int digits = 16;
    std::string text = "0x";
    const auto address = reinterpret_cast<std::uintptr_t>(value);
    for (int i = digits; i-- > 0;) text += "0123456789abcdef"[(address >> (4 * i)) & 15U];
    return text;
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::int64_t>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(value);
  } else {
    return "{...}";
  }
}

/// A function of a driver that the trace sees. `Result::text(value)` says what it returned.
template <class Function, class Result>
class TracedCall;

template <class R, class... Arguments, class Result>
class TracedCall<R (*)(Arguments...), Result> {
 public:
  using Function = R (*)(Arguments...);
  constexpr TracedCall(const char* name, Function function) : name_(name), function_(function) {}

  R operator()(Arguments... arguments) const {
    if (trace::is_active()) [[unlikely]]
      return traced(arguments...);
    return function_(arguments...);
  }
  [[nodiscard]] Function get() const { return function_; }
  [[nodiscard]] const char* name() const { return name_; }
  void set(Function function) { function_ = function; }

 private:
  R traced(Arguments... arguments) const {
    if (trace::is_paused()) return function_(arguments...);
    const double begin = trace::now();
    if constexpr (std::is_void_v<R>) {
      function_(arguments...);
      trace::write_call(name_, begin, joined(arguments...), "");
    } else {
      const R value = function_(arguments...);
      trace::write_call(name_, begin, joined(arguments...), Result::text(value));
      return value;
    }
  }
  static std::string joined(const Arguments&... arguments) {
    std::string text;
    ((text += (text.empty() ? "" : ", ") + trace_text(arguments)), ...);
    return text;
  }

  const char* name_;
  Function function_;
};

}  // namespace maxwell_dg::core
