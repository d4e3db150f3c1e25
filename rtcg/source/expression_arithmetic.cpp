#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rtcg/source/expression_tree.hpp"

namespace maxwell_dg::rtcg {

namespace {

[[noreturn]] void refuse(std::string_view op, const Value& a, const Value& b) {
  throw std::invalid_argument("'" + std::string(op) + "' does not take " + a.description() + " and " + b.description());
}

std::int64_t without_overflow(bool overflows, std::int64_t result) {
  if (overflows) throw std::invalid_argument("the result does not fit 64 bits");
  return result;
}

// Rounds down, as `//` does; `a - b * floor_divide(a, b)` is `%`.
std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) throw std::invalid_argument("division by zero");
  if (b == -1 && a == std::numeric_limits<std::int64_t>::min()) return without_overflow(true, 0);
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &result);
  return without_overflow(overflows, result);
}

// By squaring: base**exponent, the exponent not negative.
std::int64_t whole_power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (;;) {
    if ((exponent & 1) != 0) result = times(result, base);
    exponent >>= 1;
    if (exponent == 0) return result;
    base = times(base, base);
  }
}

Value of_integers(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "+") {
    const bool overflows = __builtin_add_overflow(a, b, &result);
    return without_overflow(overflows, result);
  }
  if (op == "-") {
    const bool overflows = __builtin_sub_overflow(a, b, &result);
    return without_overflow(overflows, result);
  }
  if (op == "*") return times(a, b);
  if (op == "//") return floor_divide(a, b);
  if (op == "%") return b == -1 ? 0 : a - b * floor_divide(a, b);
  return whole_power(a, b);
}

Value of_reals(std::string_view op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "**") return std::pow(a, b);
  if (b == 0) throw std::invalid_argument("division by zero");
  if (op == "/") return a / b;
  if (op == "//") return std::floor(a / b);
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

bool is_in(const Value& item, const Value& whole) {
  if (whole.is_text()) return whole.text().find(item.text()) != std::string::npos;
  if (whole.is_record()) return whole.record().contains(item.text());
  return std::ranges::any_of(whole.list(), [&](const Value& other) { return other == item; });
}

bool is_less(std::string_view op, const Value& a, const Value& b) {
  if (a.is_integer() && b.is_integer()) return a.integer() < b.integer();
  if (a.is_number() && b.is_number()) return a.number() < b.number();
  if (a.is_text() && b.is_text()) return a.text() < b.text();
  refuse(op, a, b);
}

}  // namespace

Value arithmetic(std::string_view op, const Value& a, const Value& b) {
  const bool whole = a.is_integer() && b.is_integer();
  const bool negative_power = op == "**" && whole && b.integer() < 0;
  if (whole && op != "/" && !negative_power) return of_integers(op, a.integer(), b.integer());
  // 0 - x would lose the sign of zero.
  if (op == "-" && a.is_integer() && a.integer() == 0 && b.is_real()) return -b.number();
  if (a.is_number() && b.is_number()) return of_reals(op, a.number(), b.number());
  if (op == "+" && a.is_text() && b.is_text()) return a.text() + b.text();
  if (op == "+" && a.is_list() && b.is_list()) {
    Value::List both = a.list();
    both.insert(both.end(), b.list().begin(), b.list().end());
    return both;
  }
  refuse(op, a, b);
}

bool compare(std::string_view op, const Value& a, const Value& b) {
  if (op == "in") return is_in(a, b);
  if (op == "not in") return !is_in(a, b);
  if (op == "==" || op == "!=") {
    const bool one_kind = (a.is_number() && b.is_number()) || (a.is_text() && b.is_text()) ||
                          (a.is_boolean() && b.is_boolean()) || (a.is_list() && b.is_list()) ||
                          (a.is_record() && b.is_record());
    if (!one_kind) refuse(op, a, b);
    return (a == b) == (op == "==");
  }
  if (op == "<") return is_less(op, a, b);
  if (op == ">") return is_less(op, b, a);
  // Through equality, so that NaN compares false either way.
  return is_less(op, op == "<=" ? a : b, op == "<=" ? b : a) || a == b;
}

}  // namespace maxwell_dg::rtcg
