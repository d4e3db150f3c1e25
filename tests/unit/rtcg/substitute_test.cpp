#include "rtcg/source/substitute.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace maxwell_dg::rtcg {
namespace {

std::string substitution_error(std::string_view text, const std::map<std::string, std::string>& values) {
  try {
    (void)substitute(text, values);
  } catch (const CompileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Substitute, names_are_replaced_everywhere) {
  EXPECT_EQ(substitute("${type} a = (${type})${value};", {{"type", "real"}, {"value", "1.0"}}), "real a = (real)1.0;");
}

TEST(Substitute, values_are_not_substituted_again) {
  EXPECT_EQ(substitute("${a} ${b}", {{"a", "${b}"}, {"b", "$"}}), "${b} $");
}

TEST(Substitute, two_dollars_are_one) {
  EXPECT_EQ(substitute("$$ $${a}", {}), "$ ${a}");
}

TEST(Substitute, a_name_alone_on_its_line_indents_every_line_of_its_value) {
  EXPECT_EQ(substitute("{\n  ${body}\n}\n", {{"body", "a;\n\nif (b) {\n  c;\n}"}}),
            "{\n  a;\n\n  if (b) {\n    c;\n  }\n}\n");
  EXPECT_EQ(substitute("  x = ${body};", {{"body", "a\nb"}}), "  x = a\nb;");
}

TEST(Substitute, a_name_without_value_is_reported_with_line_and_column) {
  EXPECT_EQ(substitution_error("int a;\n  int ${nmae};\n", {{"name", "b"}, {"other", ""}}),
            "2:7: no value for 'nmae'; known: name, other");
}

TEST(Substitute, a_value_that_is_never_used_is_reported) {
  EXPECT_EQ(substitution_error("a\nbc", {{"unused", ""}}), "2:3: the text ends without having used 'unused'");
}

TEST(Substitute, dollars_that_mean_nothing_are_reported) {
  EXPECT_EQ(substitution_error("a $b", {}), "1:3: stray '$': write $$ for a dollar sign, ${name} for a value");
  EXPECT_EQ(substitution_error("a$", {}), "1:2: stray '$': write $$ for a dollar sign, ${name} for a value");
  EXPECT_EQ(substitution_error("a\n ${b\n}", {}), "2:2: '${' without '}'");
}

}  // namespace
}  // namespace maxwell_dg::rtcg
