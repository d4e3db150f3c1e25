#include "dg/symbolic/parser.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace maxwell_dg::dg::symbolic {
namespace {

const std::map<std::string, Expr> names{
    {"x", coordinate(0)}, {"y", coordinate(1)}, {"z", coordinate(2)}, {"t", time()}, {"w", 2.5}};

double value(const std::string& text) {
  return evaluate(parse(text, names), {2.0, 3.0, -4.0}, 0.5);
}

struct Complaint {
  std::size_t column;
  std::string message;
};
Complaint complaint(const std::string& text) {
  try {
    static_cast<void>(parse(text, names));
  } catch (const ExpressionError& error) {
    return {error.column(), error.what()};
  }
  ADD_FAILURE() << "no ExpressionError for " << text;
  return {};
}
void expect_complaint(const std::string& text, std::size_t column, const std::string& part) {
  const Complaint found = complaint(text);
  EXPECT_EQ(found.column, column) << text << ": " << found.message;
  EXPECT_NE(found.message.find(part), std::string::npos) << text << ": " << found.message;
}

TEST(Parser, numbers_and_names) {
  EXPECT_EQ(value("1"), 1.0);
  EXPECT_EQ(value("0.5"), 0.5);
  EXPECT_EQ(value("1e-05"), 1e-5);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value(" \t 2. "), 2.0);
  EXPECT_EQ(value("x"), 2.0);
  EXPECT_EQ(value("t"), 0.5);
  EXPECT_EQ(value("w"), 2.5);
  EXPECT_EQ(value("pi"), std::numbers::pi);
}

TEST(Parser, operators_bind_as_on_paper) {
  EXPECT_EQ(value("1 + 2 * 3"), 7.0);
  EXPECT_EQ(value("1 - 2 - 3"), -4.0);
  EXPECT_EQ(value("12 / 3 / 2"), 2.0);
  EXPECT_EQ(value("12 / 3 * 2"), 8.0);
  EXPECT_EQ(value("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(value("-x^2"), -4.0);
  EXPECT_EQ(value("x^-2"), 0.25);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("2^x^x"), 16.0);
  EXPECT_EQ(value("--x"), 2.0);
  EXPECT_EQ(value("-+-x"), 2.0);
  EXPECT_EQ(value("2*-x"), -4.0);
  EXPECT_EQ(value("2 - -x"), 4.0);
  EXPECT_EQ(value("-2^2*3"), -12.0);
}

TEST(Parser, every_function_is_known_by_its_name) {
  for (const Function& function : functions()) {
    const std::string arguments = function.arity == 1 ? "(0.5)" : "(0.5, 0.25)";
    EXPECT_TRUE(std::isfinite(value(function.name + arguments))) << function.name;
    expect_complaint(function.name + "()", 1, "found 0");
    expect_complaint(function.name + "(1, 2, 3)", 1, "found 3");
  }
  EXPECT_EQ(value("atan2(y, x)"), std::atan2(3.0, 2.0));
  EXPECT_EQ(value("max(min(x, y), z)"), 2.0);
  EXPECT_EQ(value("sqrt (abs(z))"), 2.0);
}

TEST(Parser, errors_point_at_the_character) {
  expect_complaint("", 1, "empty");
  expect_complaint("   ", 4, "empty");
  expect_complaint("1 +", 4, "ends where");
  expect_complaint("1 + * 2", 5, "unexpected '*'");
  expect_complaint("2 x", 3, "a product is written with '*'");
  expect_complaint("2x", 2, "a product is written with '*'");
  expect_complaint("x**2", 3, "unexpected '*'");
  expect_complaint("(1 + 2", 7, "missing ')' for the '(' at column 1");
  expect_complaint("(1 + 2]", 7, "unexpected ']'");
  expect_complaint("1)", 2, "unexpected ')'");
  expect_complaint("1.2.3", 4, "unexpected '.'");
  expect_complaint("1e999", 1, "beyond the range");
  expect_complaint(".", 1, "not a number");
  expect_complaint("x; y", 2, "unexpected ';'");
  expect_complaint("x = 1", 3, "unexpected '='");
  expect_complaint("min(1 2)", 7, "unexpected '2'");
  expect_complaint("\xc3\xa9", 1, "byte 195");
}

TEST(Parser, unknown_names_get_a_suggestion) {
  expect_complaint("1 + qq", 5, "unknown name 'qq'; known: t, w, x, y, z, pi");
  expect_complaint("Pi", 1, "did you mean 'pi'?");
  expect_complaint("2*sine(x)", 3, "unknown function 'sine'; did you mean 'sin'?");
  expect_complaint("sin", 1, "'sin' is a function; write sin(...)");
  expect_complaint("w(x)", 1, "'w' is not a function; for a product write w * (...)");
  expect_complaint("X", 1, "did you mean 'x'?");
}

TEST(Parser, deep_and_long_texts_are_errors_not_crashes) {
  for (const std::string& unit : {std::string("("), std::string("-"), std::string("sin("), std::string("2^"),
                                  std::string("x+("), std::string("-("), std::string("+")}) {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += unit;
    EXPECT_NE(complaint(text).message.find("nested deeper"), std::string::npos) << unit;
  }
  std::string sum = "x";
  for (int i = 0; i < 5000; ++i) sum += "+x";
  EXPECT_NE(complaint(sum).message.find("operations"), std::string::npos);
  EXPECT_NE(complaint(std::string(30000, ' ')).message.find("longer than"), std::string::npos);
}

TEST(Parser, random_bytes_are_refused_or_evaluated_but_never_crash) {
  std::mt19937 random(2);
  const std::string likely = "0123456789.e+-*/^(),xyztw pi sin sqrt atan2 max\t\n\xff;";
  int accepted = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    const auto length = random() % 24;
    for (unsigned j = 0; j < length; ++j) {
      text += random() % 8 == 0 ? static_cast<char>(random() % 256) : likely[random() % likely.size()];
    }
    try {
      static_cast<void>(evaluate(parse(text, names), {0.1, 0.2, 0.3}, 0.4));
      ++accepted;
    } catch (const ExpressionError& error) {
      EXPECT_GE(error.column(), 1u);
      EXPECT_LE(error.column(), text.size() + 1);
    }
  }
  EXPECT_GT(accepted, 100) << "the texts are too random to test what is accepted";
}

// Random trees printed with all their parentheses must mean the same as computed directly.
struct Sample {
  std::string text;
  double value;
};
Sample random_sample(std::mt19937& random, int depth) {
  if (depth == 0) {
    const int n = static_cast<int>(random() % 9) + 1;
    return random() % 2 == 0 ? Sample{"x", 2.0} : Sample{std::to_string(n), double(n)};
  }
  const Sample a = random_sample(random, depth - 1), b = random_sample(random, depth - 1);
  switch (random() % 6) {
    case 0: return {"(" + a.text + " + " + b.text + ")", a.value + b.value};
    case 1: return {"(" + a.text + "-" + b.text + ")", a.value - b.value};
    case 2: return {"(" + a.text + "*" + b.text + ")", a.value * b.value};
    case 3: return {"(-" + a.text + ")", -a.value};
    case 4: return {"max(" + a.text + ", " + b.text + ")", std::fmax(a.value, b.value)};
    default: return {"cos(" + a.text + ")", std::cos(a.value)};
  }
}

TEST(Parser, printed_trees_evaluate_to_what_they_say) {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    const Sample sample = random_sample(random, 1 + i % 5);
    const double found = value(sample.text);
    EXPECT_NEAR(found, sample.value, 1e-9 * (1 + std::abs(sample.value))) << sample.text;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::symbolic
