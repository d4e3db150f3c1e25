#include "rtcg/source/template.hpp"

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "rtcg/source/line_directive.hpp"

namespace maxwell_dg::rtcg {
namespace {

std::string plain(const std::string& text, const Record& values = {}) {
  return Template("t", text).render(values, Template::LineDirectives::left_out);
}

std::string template_error(const std::string& text, const Record& values = {}) {
  try {
    return "no error, but\n" + plain(text, values);
  } catch (const CompileError& error) {
    return error.what();
  }
}

TEST(Template, expressions_are_printed_so_that_they_read_back) {
  EXPECT_EQ(plain("a ${n} ${-n} ${x} ${n > 2} ${type} $$ b", {{"n", 3}, {"x", 0.1}, {"type", "real"}}),
            "a 3 (-3) 0.1 1 real $ b\n");
}

TEST(Template, loops_and_conditions_choose_lines) {
  const std::string text =
      "% for i, x in enumerate(list):\n"
      "  % if i == 0:\n"
      "first ${x}\n"
      "  % elif x > 5:\n"
      "large ${x}\n"
      "  % else:\n"
      "${i}: ${x}\n"
      "  % endif\n"
      "% endfor\n"
      "end\n";
  EXPECT_EQ(plain(text, {{"list", Value::List{1, 7, 2}}}), "first 1\nlarge 7\n2: 2\nend\n");
  EXPECT_EQ(plain(text, {{"list", Value::List{}}}), "end\n");
}

TEST(Template, comments_vanish_and_two_per_cent_signs_are_one) {
  EXPECT_EQ(plain("a % b\n  ## note ${undefined}\n  %%d = 3 %\n"), "a % b\n  %d = 3 %\n");
}

TEST(Template, a_name_is_set_until_its_block_ends) {
  EXPECT_EQ(plain("% set a = 2\n% for i in range(2):\n% set b = a * i\n${b}\n% set a = 7\n% endfor\n${a}"),
            "0\n2\n2\n");
  EXPECT_EQ(template_error("% for i in range(2):\n% set b = i\n% endfor\n${b}"), "t:4:3: no value for 'b'");
}

/// Texts that others include.
std::optional<std::string_view> library(std::string_view name) {
  if (name == "head") return "// head of ${n}\n% macro twice(x):\n2 * ${x}\n\n% endmacro\n% include 'tail'\n";
  if (name == "tail") return "tail\n";
  if (name == "circle") return "% include 'circle'\n";
  if (name == "wrong") return "\n${}\n";
  return std::nullopt;
}

TEST(Template, an_included_text_stands_in_its_place_and_its_macros_are_known_behind_it) {
  const Template t("t", "a\n  % include 'head'\n${twice(3)}\n", library);
  EXPECT_EQ(t.render({{"n", 7}}, Template::LineDirectives::left_out), "a\n// head of 7\ntail\n2 * 3\n\n");
  EXPECT_TRUE(t.mentioned().contains("n"));
  EXPECT_EQ(t.render({{"n", 7}}),
            "#line 1 \"t\"\na\n#line 1 \"head\"\n// head of 7\n#line 1 \"tail\"\ntail\n#line 3 \"head\"\n2 * 3\n\n");
}

TEST(Template, an_included_text_that_is_not_there_or_is_wrong_is_an_error_with_its_place) {
  const auto error = [](const std::string& text) {
    try {
      (void)Template("t", text, library);
      return std::string("no error");
    } catch (const CompileError& failure) {
      return std::string(failure.what());
    }
  };
  EXPECT_EQ(error("\n% include 'haed'\n"), "t:2:11: there is no text 'haed' to include");
  EXPECT_EQ(error("% include 3\n"), "t:1:11: an included text is named by a text; this is the integer 3");
  EXPECT_EQ(error("% include 'circle'\n"), "circle:1:11: this text would include itself");
  EXPECT_EQ(error("% include 'wrong'\n").substr(0, 8), "wrong:2:");
  EXPECT_EQ(template_error("% include 'head'\n"), "t:1:11: there is no text 'head' to include") << "without a library";
}

TEST(Template, a_list_alone_on_a_line_is_a_line_for_each_item) {
  const Value::List list{"a = 1;", 2, "b = {\n  3};"};
  EXPECT_EQ(plain("{\n  ${list}\n}\n", {{"list", list}}), "{\n  a = 1;\n  2\n  b = {\n    3};\n}\n");
  EXPECT_EQ(plain("{\n  ${list}\n}\n", {{"list", Value::List{}}}), "{\n}\n");
  EXPECT_EQ(template_error("x ${list}", {{"list", list}}),
            "t:1:5: expected a text or a number to print, found a list of 3; join(list, ', ') makes a text of a list");
}

TEST(Template, each_printed_line_is_known_to_come_from_a_line_of_a_text) {
  const Template whole("whole", "${n}\n% include 'head'\n% for i in range(2):\n  ${twice(i)}\n% endfor\n${n}\n",
                       library);
  const Template::Rendered rendered = whole.render_with_lines({{"n", "p\nq"}});
  EXPECT_EQ(rendered.text, "p\nq\n// head of p\nq\ntail\n  2 * 0\n\n  2 * 1\n\np\nq\n");
  EXPECT_EQ(rendered.lines.files, (std::vector<std::string>{"whole", "head", "tail"}));
  const std::vector<LineMap::Origin> expected{{0, 1}, {0, 1}, {1, 1}, {1, 1}, {2, 1}, {1, 3},
                                              {1, 4}, {1, 3}, {1, 4}, {0, 6}, {0, 6}};
  EXPECT_EQ(rendered.lines.lines, expected);
}

TEST(Template, macros_expand_in_a_line_and_as_indented_lines) {
  const std::string text =
      "% macro cell(a, i):\n${a}[${i}]\n% endmacro\n"
      "% macro add(to, n):\n"
      "for (;;) {\n"
      "% for i in range(n):\n"
      "  ${to} += ${cell('x', i)};\n"
      "% endfor\n"
      "}\n"
      "% endmacro\n"
      "{\n  ${add('s', 2)}\n}\n";
  EXPECT_EQ(plain(text), "{\n  for (;;) {\n    s += x[0];\n    s += x[1];\n  }\n}\n");
}

TEST(Template, a_value_of_several_lines_keeps_the_indentation_of_its_place) {
  EXPECT_EQ(plain("{\n  ${body}\n}\n", {{"body", "a;\n\nb;\n"}}), "{\n  a;\n\n  b;\n}\n");
}

TEST(Template, blank_lines_behind_a_macro_are_not_printed) {
  EXPECT_EQ(plain("a\n\n% macro f():\nx\n\ny\n% endmacro\n\n  \n% macro g():\nz\n% endmacro\n\n${f()}\n\n${g()}\n"),
            "a\n\nx\n\ny\n\nz\n");
  EXPECT_EQ(template_error("% macro f():\n% endmacro\n\n\n${none}\n"), "t:5:3: no value for 'none'");
}

TEST(Template, macros_call_themselves_up_to_a_depth) {
  EXPECT_EQ(plain("% macro f(n):\n% if n > 0:\n${n}\n${f(n - 1)}\n% endif\n% endmacro\n${f(3)}\n"), "3\n2\n1\n");
  EXPECT_EQ(template_error("% macro f(n):\n${f(n)}\n% endmacro\n${f(3)}\n"),
            "t:2:3: f(): macros call each other more than 100 deep");
  EXPECT_EQ(template_error("% macro f(n):\n% endmacro\n${f()}\n"), "t:3:3: f(): takes 1 arguments, got 0");
}

TEST(Template, undefined_names_are_errors_with_line_and_column) {
  EXPECT_EQ(template_error("a\n  b ${lenght}", {}), "t:2:7: no value for 'lenght'");
  EXPECT_EQ(template_error("a\n% if nam == 1:\n% endif\n${name}", {{"name", 1}}),
            "t:2:6: no value for 'nam'; did you mean 'name'?");
  EXPECT_EQ(template_error("a ${1 + 'x'}"), "t:1:7: '+' does not take the integer 1 and the text 'x'");
  EXPECT_EQ(template_error("% if 1:\n% endif"), "t:1:6: a condition is a bool; this is the integer 1");
  EXPECT_EQ(template_error("% for i in 3:\n% endfor"), "t:1:12: a loop runs over a list; this is the integer 3");
  EXPECT_EQ(template_error("a ${[1]}"),
            "t:1:5: expected a text or a number to print, found a list of 1; join(list, ', ') makes a text of a list");
}

TEST(Template, a_value_that_is_mentioned_nowhere_is_an_error) {
  EXPECT_EQ(template_error("a", {{"n", 1}}), "t: the template never uses the value 'n'");
  EXPECT_EQ(plain("% if false:\n${n}\n% endif\n", {{"n", 1}}), "");
}

TEST(Template, syntax_errors_are_found_before_rendering) {
  const auto construction_error = [](const std::string& text) -> std::string {
    try {
      const Template t("t", text);
      return "no error";
    } catch (const CompileError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(construction_error("a\n% for i in x:\nb"), "t:2:3: this block has no '% endfor'");
  EXPECT_EQ(construction_error("% endif"), "t:1:8: '% endif' without its beginning");
  EXPECT_EQ(construction_error("% for i in x:\n% endif"), "t:2:8: '% endif' where '% endfor' should stand");
  EXPECT_EQ(construction_error("% while x:"),
            "t:1:3: unknown line '% while'; there are for, if, elif, else, set, macro, include and their ends; %% is a "
            "per cent "
            "sign");
  EXPECT_EQ(construction_error("% if a\n"), "t:1:7: expected ':' at the end of the line");
  EXPECT_EQ(construction_error("x ${a"), "t:1:6: expected '}' behind the expression");
  EXPECT_EQ(construction_error("x ${a b}"), "t:1:7: expected '}' behind the expression");
  EXPECT_EQ(construction_error("cost $5"), "t:1:6: stray '$': write $$ for a dollar sign, ${name} for a value");
  EXPECT_EQ(construction_error("% if a:\n% else:\n% elif b:\n% endif"), "t:3:7: '% elif' where '% endif' should stand");
}

TEST(Template, line_directives_name_the_templates_lines) {
  const std::string text =
      "a\n"
      "% for i in range(2):\n"
      "b ${i}\n"
      "c\n"
      "% endfor\n"
      "d\n";
  EXPECT_EQ(Template("k.kernel", text).render({}),
            "#line 1 \"k.kernel\"\na\n#line 3 \"k.kernel\"\nb 0\nc\n#line 3 \"k.kernel\"\nb 1\nc\n"
            "#line 6 \"k.kernel\"\nd\n");
}

TEST(Template, no_directive_splits_a_continued_line) {
  EXPECT_EQ(Template("k", "#define A \\\n% if true:\n  1 \\\n% endif\n  2\nb\n").render({}),
            "#line 1 \"k\"\n#define A \\\n  1 \\\n  2\n#line 6 \"k\"\nb\n");
}

TEST(Template, lines_of_a_macro_are_called_by_their_place_in_the_macro) {
  const std::string text = "% macro m():\nx\n% endmacro\n{\n  ${m()}\n}\n";
  const std::string out = Template("k", text).render({});
  EXPECT_EQ(line_called(out, "k", "k", 2), "  x");
  EXPECT_EQ(line_called(out, "k", "k", 6), "}");
  EXPECT_EQ(line_called(out, "k", "k", 5), "");
}

// The examples of docs/templates.md: a template block, then the block that it prints.
TEST(Template, the_documents_examples_print_what_they_show) {
  std::ifstream file(MAXWELL_DG_SOURCE_DIR "/docs/templates.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  const Record values{
      {"n", 3},
      {"type", "float32"},
      {"weights", Value::List{0.5, -0.25}},
      {"fields", Value::List{Record{{"name", "Ex"}, {"even", true}}, Record{{"name", "Hy"}, {"even", false}}}}};
  int examples = 0;
  std::size_t at = 0;
  const auto block = [&](const std::string& fence) -> std::string {
    const std::size_t begin = document.find(fence, at);
    if (begin == std::string::npos) return "";
    const std::size_t first = begin + fence.size();
    at = document.find("```", first);
    return document.substr(first, at - first);
  };
  for (std::string text = block("```mako\n"); !text.empty(); text = block("```mako\n")) {
    const Template shown("shown", text);
    Record used;
    for (const auto& [name, value] : values) {
      if (shown.mentioned().contains(name)) used[name] = value;
    }
    EXPECT_EQ(shown.render(used, Template::LineDirectives::left_out), block("```c\n"));
    ++examples;
  }
  EXPECT_GE(examples, 4);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
