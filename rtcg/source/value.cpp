#include "rtcg/source/value.hpp"

#include <limits>
#include <stdexcept>

#include "rtcg/source/literal.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\\':
      case '\'': out += '\\'; [[fallthrough]];
      default: out += c;
    }
  }
  return out + "'";
}

}  // namespace

void Value::throw_too_large() {
  throw std::invalid_argument("a value holds integers of 64 bits with sign; this one is larger");
}

void Value::throw_not(std::string_view expected) const {
  throw std::invalid_argument("expected " + std::string(expected) + ", found " + description());
}

bool Value::boolean() const {
  if (!is_boolean()) throw_not("a bool");
  return std::get<bool>(data_);
}

std::int64_t Value::integer() const {
  if (!is_integer()) throw_not("an integer");
  return std::get<std::int64_t>(data_);
}

double Value::number() const {
  if (is_integer()) return static_cast<double>(std::get<std::int64_t>(data_));
  if (!is_real()) throw_not("a number");
  return std::get<double>(data_);
}

const std::string& Value::text() const {
  if (!is_text()) throw_not("a text");
  return *std::get<Text>(data_);
}

const Value::List& Value::list() const {
  if (!is_list()) throw_not("a list");
  return *std::get<Items>(data_);
}

const Value::Record& Value::record() const {
  if (!is_record()) throw_not("a record");
  return *std::get<Fields>(data_);
}

bool Value::equals(const Value& other) const {
  if (is_number() && other.is_number() && data_.index() != other.data_.index()) return number() == other.number();
  if (data_.index() != other.data_.index()) return false;
  if (is_text()) return text() == other.text();
  if (is_list()) return list() == other.list();
  if (is_record()) return record() == other.record();
  return data_ == other.data_;
}

std::string Value::description() const {
  if (is_boolean()) return boolean() ? "the bool true" : "the bool false";
  if (is_integer()) return "the integer " + written();
  if (is_real()) return "the real " + written();
  if (is_text()) return "the text " + written();
  if (is_list()) return "a list of " + std::to_string(list().size());
  return "a record of " + std::to_string(record().size());
}

std::string Value::written() const {
  if (is_boolean()) return boolean() ? "true" : "false";
  if (is_integer()) return std::to_string(integer());
  if (is_real()) {
    std::string digits = literal(number(), Dtype::float64);
    return digits.front() == '(' ? digits.substr(1, digits.size() - 2) : digits;
  }
  if (is_text()) return quoted(text());
  std::string out;
  if (is_list()) {
    for (const Value& item : list()) out += (out.empty() ? "" : ", ") + item.written();
    return "[" + out + "]";
  }
  for (const auto& [name, value] : record()) out += (out.empty() ? "" : ", ") + name + ": " + value.written();
  return "{" + out + "}";
}

std::string source_text(const Value& value) {
  if (value.is_text()) return value.text();
  if (value.is_boolean()) return value.boolean() ? "1" : "0";
  if (value.is_real()) return literal(value.number(), Dtype::float64);
  if (value.is_integer()) {
    const std::int64_t n = value.integer();
    const bool fits = n >= std::numeric_limits<std::int32_t>::min() && n <= std::numeric_limits<std::int32_t>::max();
    return literal(n, fits ? Dtype::int32 : Dtype::int64);
  }
  throw std::invalid_argument("expected a text or a number to print, found " + value.description() +
                              "; join(list, ', ') makes a text of a list");
}

}  // namespace maxwell_dg::rtcg
