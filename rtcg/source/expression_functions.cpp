#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/dtype.hpp"
#include "core/suggest.hpp"
#include "rtcg/source/expression_tree.hpp"
#include "rtcg/source/literal.hpp"

namespace maxwell_dg::rtcg {

namespace {

using Arguments = std::span<const Value>;
using List = Value::List;

Value checked_integer(double value) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (!(value >= -limit && value < limit)) throw std::invalid_argument("the result does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

Value range(Arguments a) {
  const std::int64_t begin = a.size() > 1 ? a[0].integer() : 0;
  const std::int64_t end = a.size() > 1 ? a[1].integer() : a[0].integer();
  const std::int64_t step = a.size() > 2 ? a[2].integer() : 1;
  constexpr std::size_t most = 10'000'000;
  if (step == 0) throw std::invalid_argument("a step of zero never ends");
  List items;
  for (Value at = begin; step > 0 ? at.integer() < end : at.integer() > end; at = arithmetic("+", at, step)) {
    items.push_back(at);
    if (items.size() > most) throw std::invalid_argument("more than " + std::to_string(most) + " items");
  }
  return items;
}

// min and max take a list, or their arguments.
Value extreme(std::string_view better, Arguments a) {
  const Arguments items = a.size() == 1 ? Arguments(a[0].list()) : a;
  if (items.empty()) throw std::invalid_argument("an empty list has none");
  const Value* best = items.data();
  for (const Value& item : items) {
    if (compare(better, item, *best)) best = &item;
  }
  return *best;
}

Value sum(Arguments a) {
  Value total = 0;
  for (const Value& item : a[0].list()) total = arithmetic("+", total, item);
  return total;
}

Value length(Arguments a) {
  if (a[0].is_text()) return a[0].text().size();
  if (a[0].is_record()) return a[0].record().size();
  return a[0].list().size();
}

Value to_integer(Arguments a) {
  if (a[0].is_boolean()) return a[0].boolean() ? 1 : 0;
  if (a[0].is_integer()) return a[0];
  if (a[0].is_real()) return checked_integer(std::trunc(a[0].number()));
  const std::string& text = a[0].text();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::invalid_argument(a[0].description() + " is no integer");
  }
  return value;
}

Value to_real(Arguments a) {
  if (!a[0].is_text()) return a[0].number();
  const std::string& text = a[0].text();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::invalid_argument(a[0].description() + " is no number");
  }
  return value;
}

Value to_text(Arguments a) {
  return a[0].is_text() ? a[0].text() : a[0].written();
}

Value literal_of(Arguments a) {
  const std::string& name = a[1].text();
  const auto dtype = dtype_named(name);
  if (!dtype) {
    std::vector<std::string> known;
    for (const Dtype each : all_dtypes) known.emplace_back(name_of(each));
    throw std::invalid_argument("no dtype '" + name + "'" + core::did_you_mean(name, known));
  }
  if (a[0].is_boolean()) return literal(a[0].boolean() ? 1 : 0, *dtype);
  return a[0].is_integer() ? literal(a[0].integer(), *dtype) : literal(a[0].number(), *dtype);
}

Value join(Arguments a) {
  std::string out;
  const std::string& separator = a[1].text();
  bool first = true;
  for (const Value& item : a[0].list()) {
    out += (first ? "" : separator) + source_text(item);
    first = false;
  }
  return out;
}

Value replace(Arguments a) {
  const std::string& text = a[0].text();
  const std::string& old = a[1].text();
  if (old.empty()) throw std::invalid_argument("nothing cannot be replaced");
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = text.find(old); found != std::string::npos; found = text.find(old, at)) {
    out += text.substr(at, found - at) + a[2].text();
    at = found + old.size();
  }
  return out + text.substr(at);
}

Value split(Arguments a) {
  const std::string& text = a[0].text();
  const std::string& separator = a[1].text();
  if (separator.empty()) throw std::invalid_argument("the separator is empty");
  List parts;
  std::size_t at = 0;
  for (std::size_t found = text.find(separator); found != std::string::npos; found = text.find(separator, at)) {
    parts.emplace_back(text.substr(at, found - at));
    at = found + separator.size();
  }
  parts.emplace_back(text.substr(at));
  return parts;
}

Value strip(Arguments a) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::string& text = a[0].text();
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

template <class Change>
Value each_character(Arguments a, const Change& change) {
  std::string text = a[0].text();
  for (char& c : text) c = change(c);
  return text;
}
char upper_case(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

Value zip(Arguments a) {
  List rows;
  const std::size_t size = a[0].list().size();
  for (const Value& list : a) {
    if (list.list().size() != size) throw std::invalid_argument("the lists have different lengths");
  }
  for (std::size_t i = 0; i < size; ++i) {
    List row;
    for (const Value& list : a) row.push_back(list.list()[i]);
    rows.emplace_back(std::move(row));
  }
  return rows;
}

Value enumerate(Arguments a) {
  List rows;
  for (const Value& item : a[0].list()) rows.emplace_back(List{rows.size(), item});
  return rows;
}

Value sorted(Arguments a) {
  List items = a[0].list();
  std::ranges::stable_sort(items, [](const Value& x, const Value& y) { return compare("<", x, y); });
  return items;
}

Value keys(Arguments a) {
  List names;
  for (const auto& [name, value] : a[0].record()) names.emplace_back(name);
  return names;
}

Value index_of(Arguments a) {
  const List& items = a[0].list();
  const auto found = std::ranges::find(items, a[1]);
  if (found == items.end()) throw std::invalid_argument("the list has no " + a[1].written());
  return found - items.begin();
}

Value ceil_div(Arguments a) {
  const Value down = arithmetic("//", arithmetic("-", 0, a[0].integer()), a[1].integer());
  return arithmetic("-", 0, down);
}

struct BuiltIn {
  const char* name;
  std::size_t least;
  std::size_t most;
  Value (*function)(Arguments);
};
constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

constexpr BuiltIn built_ins[] = {
    {"range", 1, 3, range},
    {"min", 1, any_number, [](Arguments a) { return extreme("<", a); }},
    {"max", 1, any_number, [](Arguments a) { return extreme(">", a); }},
    {"sum", 1, 1, sum},
    {"len", 1, 1, length},
    {"int", 1, 1, to_integer},
    {"float", 1, 1, to_real},
    {"str", 1, 1, to_text},
    {"literal", 2, 2, literal_of},
    {"join", 2, 2, join},
    {"replace", 3, 3, replace},
    {"split", 2, 2, split},
    {"strip", 1, 1, strip},
    {"upper", 1, 1, [](Arguments a) { return each_character(a, upper_case); }},
    {"lower", 1, 1, [](Arguments a) { return each_character(a, lower_case); }},
    {"starts_with", 2, 2, [](Arguments a) -> Value { return a[0].text().starts_with(a[1].text()); }},
    {"ends_with", 2, 2, [](Arguments a) -> Value { return a[0].text().ends_with(a[1].text()); }},
    {"zip", 1, any_number, zip},
    {"enumerate", 1, 1, enumerate},
    {"sorted", 1, 1, sorted},
    {"reversed", 1, 1, [](Arguments a) -> Value { return List(a[0].list().rbegin(), a[0].list().rend()); }},
    {"keys", 1, 1, keys},
    {"index_of", 2, 2, index_of},
    {"all", 1, 1, [](Arguments a) -> Value { return std::ranges::all_of(a[0].list(), &Value::boolean); }},
    {"any", 1, 1, [](Arguments a) -> Value { return std::ranges::any_of(a[0].list(), &Value::boolean); }},
    {"abs", 1, 1, [](Arguments a) { return compare("<", a[0], 0) ? arithmetic("-", 0, a[0]) : a[0]; }},
    {"floor", 1, 1, [](Arguments a) { return checked_integer(std::floor(a[0].number())); }},
    {"ceil", 1, 1, [](Arguments a) { return checked_integer(std::ceil(a[0].number())); }},
    {"sqrt", 1, 1, [](Arguments a) -> Value { return std::sqrt(a[0].number()); }},
    {"log2", 1, 1, [](Arguments a) -> Value { return std::log2(a[0].number()); }},
    {"ceil_div", 2, 2, ceil_div},
    {"round_up", 2, 2, [](Arguments a) { return arithmetic("*", ceil_div(a), a[1]); }},
};

Value call_checked(const BuiltIn& built_in, Arguments arguments) {
  const std::size_t n = arguments.size();
  if (n >= built_in.least && n <= built_in.most) return built_in.function(arguments);
  std::string takes = std::to_string(built_in.least);
  if (built_in.most == any_number)
    takes += " or more";
  else if (built_in.most != built_in.least)
    takes += " to " + std::to_string(built_in.most);
  throw std::invalid_argument("takes " + takes + " arguments, got " + std::to_string(n));
}

}  // namespace

const std::map<std::string, NamedFunction, std::less<>>& built_in_functions() {
  static const auto functions = [] {
    std::map<std::string, NamedFunction, std::less<>> all;
    for (const BuiltIn& built_in : built_ins) {
      all[built_in.name] = [&built_in](Arguments arguments) { return call_checked(built_in, arguments); };
    }
    return all;
  }();
  return functions;
}

}  // namespace maxwell_dg::rtcg
