#include "rtcg/source/expression.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace maxwell_dg::rtcg {
namespace {

const Record& names() {
  static const Record record{
      {"n", 8},     {"x", 0.1}, {"type", "float32"}, {"list", Value::List{3, 1, 2}}, {"field", Record{{"name", "Ex"}}},
      {"yes", true}};
  return record;
}

std::string value_of(std::string_view text) {
  return Expression(text).evaluate(names()).written();
}

std::string error_of(std::string_view text) {
  try {
    return "no error, but " + value_of(text);
  } catch (const CompileError& error) {
    return error.what();
  }
}

TEST(Expression, arithmetic_binds_as_in_python) {
  EXPECT_EQ(value_of("1 + 2 * 3 - 4"), "3");
  EXPECT_EQ(value_of("-2 ** 2"), "-4");
  EXPECT_EQ(value_of("2 ** 3 ** 2"), "512");
  EXPECT_EQ(value_of("(1 + 2) * 3"), "9");
  EXPECT_EQ(value_of("7 / 2"), "3.5");
  EXPECT_EQ(value_of("8 / 2"), "4.0");
  EXPECT_EQ(value_of("2 ** -1"), "0.5");
  EXPECT_EQ(value_of("0x10 + 1e3"), "1016.0");
  EXPECT_EQ(value_of("n - - n"), "16");
}

TEST(Expression, division_and_remainder_round_down) {
  EXPECT_EQ(value_of("-7 // 2"), "-4");
  EXPECT_EQ(value_of("-7 % 2"), "1");
  EXPECT_EQ(value_of("7 % -2"), "-1");
  EXPECT_EQ(value_of("-7.5 // 2"), "-4.0");
  EXPECT_EQ(value_of("-7.5 % 2"), "0.5");
  EXPECT_EQ(value_of("ceil_div(7, 2)"), "4");
  EXPECT_EQ(value_of("round_up(7, 4)"), "8");
}

TEST(Expression, comparisons_chain_and_logic_stops_early) {
  EXPECT_EQ(value_of("1 < 2 <= 2"), "true");
  EXPECT_EQ(value_of("1 < 2 > 3"), "false");
  EXPECT_EQ(value_of("n == 8.0"), "true");
  EXPECT_EQ(value_of("type == 'float32' and n != 7"), "true");
  EXPECT_EQ(value_of("false and 1 // 0 == 0"), "false");
  EXPECT_EQ(value_of("true or 1 // 0 == 0"), "true");
  EXPECT_EQ(value_of("not yes"), "false");
  EXPECT_EQ(value_of("2 in list and 5 not in list and 'loat' in type and 'name' in field"), "true");
  EXPECT_EQ(value_of("1 if n > 4 else 1 // 0"), "1");
}

TEST(Expression, lists_texts_and_records_are_taken_apart) {
  EXPECT_EQ(value_of("list[0] + list[-1]"), "5");
  EXPECT_EQ(value_of("list[1:] + [9]"), "[1, 2, 9]");
  EXPECT_EQ(value_of("type[:5] + type[-2:]"), "'float32'");
  EXPECT_EQ(value_of("field.name + field['name']"), "'ExEx'");
  EXPECT_EQ(value_of("{a: 1, b: [true]}"), "{a: 1, b: [true]}");
  EXPECT_EQ(value_of("[i * j for i, j in enumerate(list) if j > 1]"), "[0, 4]");
}

TEST(Expression, built_in_functions_do_what_they_say) {
  EXPECT_EQ(value_of("range(3) + range(5, 1, -2)"), "[0, 1, 2, 5, 3]");
  EXPECT_EQ(value_of("[min(list), max(4, 7.5), sum(list), len(type), len(list)]"), "[1, 7.5, 6, 7, 3]");
  EXPECT_EQ(value_of("[int('12'), int(-2.7), float(3), str(n), str(type)]"), "[12, -2, 3.0, '8', 'float32']");
  EXPECT_EQ(value_of("join(['a' + str(i) for i in range(3)], ', ')"), "'a0, a1, a2'");
  EXPECT_EQ(value_of("join(split('a,b,,c', ','), '|') + upper('x') + lower('Y') + strip('  z ')"), "'a|b||cXyz'");
  EXPECT_EQ(value_of("replace('aXbX', 'X', '::')"), "'a::b::'");
  EXPECT_EQ(value_of("zip(list, ['a', 'b', 'c'])[1]"), "[1, 'b']");
  EXPECT_EQ(value_of("[sorted(list), reversed(list), keys(field)]"), "[[1, 2, 3], [2, 1, 3], ['name']]");
  EXPECT_EQ(value_of("[index_of(list, 2), index_of(['a', 'b'], 'b')]"), "[2, 1]");
  EXPECT_EQ(value_of("all([true, false]) or any([true, false])"), "true");
  EXPECT_EQ(value_of("[abs(-3), floor(-0.5), ceil(0.5), sqrt(16), log2(8)]"), "[3, -1, 1, 4.0, 3.0]");
  EXPECT_EQ(value_of("starts_with(type, 'fl') and ends_with(type, '32')"), "true");
}

TEST(Expression, floats_survive_exactly) {
  for (const double value : {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 123456789012345680.0}) {
    const Value result = Expression(Value(value).written()).evaluate(Record{});
    EXPECT_EQ(result.number(), value);
    EXPECT_EQ(std::signbit(result.number()), std::signbit(value)) << value;
  }
  EXPECT_EQ(value_of("literal(x, 'float32')"), "'0.1f'");
  EXPECT_EQ(value_of("literal(x, 'float64')"), "'0.1'");
  EXPECT_EQ(value_of("literal(-3, 'int64')"), "'(-3L)'");
  EXPECT_EQ(source_text(Expression("-x").evaluate(names())), "(-0.1)");
  EXPECT_EQ(source_text(Value(std::numeric_limits<std::int64_t>::min())), "(-9223372036854775807L - 1)");
}

TEST(Expression, a_name_without_value_is_an_error_with_its_column) {
  EXPECT_EQ(error_of("n + typ"), "expression:1:5: no value for 'typ'; did you mean 'type'?");
  EXPECT_EQ(error_of("1 +\n  lenn(list)"), "expression:2:3: no function 'lenn'; did you mean 'len'?");
  EXPECT_EQ(error_of("True"), "expression:1:1: no value for 'True'; did you mean 'true'?");
  EXPECT_EQ(error_of("field.nme"), "expression:1:6: no field 'nme'; there are: name");
  EXPECT_EQ(error_of("len + 1"), "expression:1:1: 'len' is a function: call it");
}

TEST(Expression, wrong_types_are_errors_not_conversions) {
  EXPECT_EQ(error_of("1 + 'a'"), "expression:1:3: '+' does not take the integer 1 and the text 'a'");
  EXPECT_EQ(error_of("1 == 'a'"), "expression:1:3: '==' does not take the integer 1 and the text 'a'");
  EXPECT_EQ(error_of("not n"), "expression:1:5: a condition is a bool; this is the integer 8");
  EXPECT_EQ(error_of("yes and n"), "expression:1:9: a condition is a bool; this is the integer 8");
  EXPECT_EQ(error_of("list[3]"), "expression:1:5: index 3 is outside of 3 items");
  EXPECT_EQ(error_of("n[0]"), "expression:1:2: expected a list, found the integer 8");
  EXPECT_EQ(error_of("len(1)"), "expression:1:1: len(): expected a list, found the integer 1");
  EXPECT_EQ(error_of("len()"), "expression:1:1: len(): takes 1 arguments, got 0");
  EXPECT_EQ(error_of("literal(1, 'float3')"), "expression:1:1: literal(): no dtype 'float3'; did you mean 'float32'?");
  EXPECT_EQ(error_of("literal(300, 'uint8')"), "expression:1:1: literal(): no literal of type uint8 holds 300");
}

TEST(Expression, overflow_and_division_by_zero_are_errors) {
  EXPECT_EQ(error_of("9223372036854775807 + 1"), "expression:1:21: the result does not fit 64 bits");
  EXPECT_EQ(error_of("3037000500 * 3037000500"), "expression:1:12: the result does not fit 64 bits");
  EXPECT_EQ(error_of("10 ** 19"), "expression:1:4: the result does not fit 64 bits");
  EXPECT_EQ(error_of("(-9223372036854775807 - 1) // -1"), "expression:1:28: the result does not fit 64 bits");
  EXPECT_EQ(error_of("1 % 0"), "expression:1:3: division by zero");
  EXPECT_EQ(error_of("1.0 / 0"), "expression:1:5: division by zero");
  EXPECT_EQ(error_of("9223372036854775808"), "expression:1:1: this number is too large or too small");
}

TEST(Expression, syntax_errors_say_where_and_what) {
  EXPECT_EQ(error_of("1 +"), "expression:1:4: expected an expression, found the end");
  EXPECT_EQ(error_of("(1 + 2"), "expression:1:7: expected ')', found the end");
  EXPECT_EQ(error_of("1 2"), "expression:1:3: expected the end of the expression, found '2'");
  EXPECT_EQ(error_of("a = 1"), "expression:1:3: unexpected '='");
  EXPECT_EQ(error_of("'a"), "expression:1:1: this text has no closing quote");
  EXPECT_EQ(error_of("3x"), "expression:1:2: a number ends before 'x'");
  EXPECT_EQ(error_of("1 if true"), "expression:1:10: expected 'else', found the end");
  EXPECT_EQ(error_of(std::string(100000, '(')), "expression:1:201: this expression is nested too deeply");
  EXPECT_EQ(error_of(std::string(100000, '-')), "expression:1:200: this expression is nested too deeply");
  EXPECT_EQ(error_of(std::string(100000, '+')), "expression:1:200: this expression is nested too deeply");
  std::string powers;
  for (int i = 0; i < 100000; ++i) powers += "2**";
  EXPECT_EQ(error_of(powers), "expression:1:601: this expression is nested too deeply");
}

TEST(Expression, it_knows_the_names_it_needs) {
  EXPECT_EQ(Expression("a + len(b) + sum([c * d for c in e])").names(),
            (std::vector<std::string>{"a", "b", "d", "e", "len", "sum"}));
}

TEST(Expression, scopes_give_functions_and_hide_outer_names) {
  const NameScope outer{.values = {{"a", 1}, {"b", 2}},
                        .functions = {{"twice", [](std::span<const Value> v) { return Value(2 * v[0].integer()); }}}};
  const NameScope inner{.values = {{"a", 10}}, .outer = &outer};
  EXPECT_EQ(Expression("twice(a) + b").evaluate(inner).integer(), 22);
}

TEST(Value, an_unsigned_number_beyond_int64_is_refused) {
  EXPECT_EQ(Value(std::uint64_t{1} << 62).integer(), std::int64_t{1} << 62);
  EXPECT_THROW(Value(std::uint64_t{1} << 63), std::invalid_argument);
}

TEST(Value, texts_are_written_so_that_they_read_back) {
  const std::string text = "it's \"a\\b\"\n\tc";
  EXPECT_EQ(Expression(Value(text).written()).evaluate(Record{}).text(), text);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
