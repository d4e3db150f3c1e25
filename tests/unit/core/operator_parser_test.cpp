#include "core/syntax/operator_parser.hpp"

#include <array>
#include <stdexcept>

#include <gtest/gtest.h>

namespace maxwell_dg::core {
namespace {

/// Writes every operator with parentheses around what it takes.
class Grouped : OperatorParser<Grouped, std::string> {
  friend class OperatorParser<Grouped, std::string>;

 public:
  explicit Grouped(std::string_view text) : OperatorParser(text, {.symbols = symbols}) { advance(); }
  std::string run() {
    std::string all = expression();
    if (token().kind != Token::Kind::end) fail(token().offset, "behind the end: " + found());
    return all;
  }

 private:
  static constexpr std::array<std::string_view, 7> symbols{"<=", "<", "+", "*", "^", "(", ")"};
  static constexpr int deepest = 10;
  static std::string too_deep() { return "too deep"; }
  static constexpr std::array prefixes{PrefixOperator{"not", 1}, PrefixOperator{"+", 5}};
  static constexpr std::array infixes{
      InfixOperator{"<", 2, InfixOperator::Grouping::in_one},
      InfixOperator{"<=", 2, InfixOperator::Grouping::in_one},
      InfixOperator{"not", 2, InfixOperator::Grouping::in_one, 0, "in"},
      InfixOperator{"+", 3},
      InfixOperator{"*", 4},
      InfixOperator{"^", 6, InfixOperator::Grouping::from_right, 5},
  };

  static void check(const Token& /*token*/) {}
  [[noreturn]] static void fail(std::size_t offset, const std::string& what) {
    throw std::invalid_argument(std::to_string(offset) + ": " + what);
  }
  std::string operand() {
    if (accept("(")) {
      std::string inside = expression();
      expect(")");
      return inside;
    }
    if (token().kind != Token::Kind::name && token().kind != Token::Kind::number) {
      fail(token().offset, "no operand: " + found());
    }
    std::string word(token().word);
    advance();
    return word;
  }
  static std::string prefixed(const PrefixOperator& op, std::size_t /*offset*/, const std::string& value) {
    return std::string(op.word) + "[" + value + "]";
  }
  static std::string joined(const InfixOperator& op, std::size_t /*offset*/, const std::string& left,
                            const std::string& right) {
    return "[" + left + std::string(op.word) + right + "]";
  }
  static std::string joined_in_one(const InfixOperator& /*first*/, std::size_t offset,
                                   const std::vector<std::string>& words, const std::vector<std::string>& operands) {
    std::string all = std::to_string(offset) + "{" + operands[0];
    for (std::size_t i = 0; i < words.size(); ++i) all += " " + words[i] + " " + operands[i + 1];
    return all + "}";
  }
};

std::string grouped(std::string_view text) {
  try {
    return Grouped(text).run();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(OperatorParser, stronger_operators_take_what_stands_between) {
  EXPECT_EQ(grouped("a + b * c"), "[a+[b*c]]");
  EXPECT_EQ(grouped("a * b + c"), "[[a*b]+c]");
  EXPECT_EQ(grouped("(a + b) * c"), "[[a+b]*c]");
}

TEST(OperatorParser, equally_strong_operators_group_as_each_says) {
  EXPECT_EQ(grouped("a + b + c"), "[[a+b]+c]");
  EXPECT_EQ(grouped("a ^ b ^ c"), "[a^[b^c]]");
  EXPECT_EQ(grouped("a < b + 1 <= c not in d"), "2{a < [b+1] <= c not in d}");
  EXPECT_EQ(grouped("(a < b) < c"), "8{3{a < b} < c}") << "what is grouped already stays apart";
}

TEST(OperatorParser, a_prefix_takes_operators_that_are_as_strong) {
  EXPECT_EQ(grouped("+a ^ b"), "+[[a^b]]");
  EXPECT_EQ(grouped("a ^ +b * c"), "[[a^+[b]]*c]");
  EXPECT_EQ(grouped("not a < b"), "not[6{a < b}]");
  EXPECT_EQ(grouped("++a"), "+[+[a]]");
}

TEST(OperatorParser, errors_name_the_place_and_the_word) {
  EXPECT_EQ(grouped("a + "), "4: no operand: the end");
  EXPECT_EQ(grouped("(a + b"), "6: expected ')', found the end");
  EXPECT_EQ(grouped("a not b"), "6: expected 'in', found 'b'");
  EXPECT_EQ(grouped("a $"), "2: behind the end: '$'");
}

TEST(OperatorParser, nesting_is_bounded_however_it_comes_about) {
  for (const std::string unit : {"(", "+", "a ^ ", "a * ("}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += unit;
    EXPECT_NE(grouped(text).find("too deep"), std::string::npos) << unit;
  }
  std::string flat = "a";
  for (int i = 0; i < 1000; ++i) flat += " + a";
  EXPECT_EQ(grouped(flat).find("too deep"), std::string::npos) << "a long sum is not nested";
}

TEST(Lexer, numbers_end_where_they_end_and_know_whether_they_are_whole) {
  EXPECT_EQ(number_in_front("12 mm").length, 2U);
  EXPECT_EQ(number_in_front("12 mm").whole, 12);
  EXPECT_FALSE(number_in_front("1.5e3x").is_whole);
  EXPECT_EQ(number_in_front("1.5e3x").real, 1500.0);
  EXPECT_FALSE(number_in_front("1e999").is_in_range);
  EXPECT_FALSE(number_in_front("9223372036854775808").whole_fits);
  for (const char* none : {"", ".", "-1", "e3", "inf"}) EXPECT_EQ(number_in_front(none).length, 0U) << none;
}

TEST(Lexer, what_is_no_word_is_left_to_the_parser) {
  Lexer lexer("'a\\n' 0x1f '\\q' $ 'open", {.has_texts = true, .has_hexadecimals = true});
  EXPECT_EQ(lexer.next().content, "a\n");
  EXPECT_EQ(lexer.next().number.whole, 31);
  const Token escape = lexer.next(), unknown = lexer.next(), open = lexer.next();
  EXPECT_EQ(escape.fault, Token::Fault::unknown_escape);
  EXPECT_EQ(escape.fault_offset, 12U);
  EXPECT_EQ(unknown.kind, Token::Kind::unknown);
  EXPECT_EQ(open.fault, Token::Fault::unclosed_text);
  EXPECT_EQ(lexer.next().kind, Token::Kind::end);
  EXPECT_EQ(lexer.next().kind, Token::Kind::end);
}

}  // namespace
}  // namespace maxwell_dg::core
