#include "rtcg/source/template_lines.hpp"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::rtcg {
namespace {

constexpr std::string_view outer = R"(KERNEL void outer_kernel(${parameters}) {
  for (int32 n = 0; n < NP; ++n) {
    ${body}
  }
  ${inner}
  ${end}
}
)";
constexpr std::string_view inner = "const real sum_of_all = a + b;\n${nothing}\nstore_sum(sum_of_all);\n";

/// "outer:1", "outer:3 body" for a value in a place of its own, "outer:5 inner end" for one in either of two, "" for
/// what no template has.
std::vector<std::string> origins(const std::string& text) {
  const std::vector<NamedTemplate> templates{{"outer", outer}, {"inner", inner}};
  std::vector<std::string> all;
  for (const LineOrigin& o : line_origins(text, templates)) {
    if (o.from == nullptr) {
      all.emplace_back();
    } else {
      all.push_back(std::string(o.from->name) + ":" + std::to_string(o.line));
      for (const std::string_view place : o.places) all.back() += " " + std::string(place);
    }
  }
  return all;
}

std::string filled(const std::string& body, const std::string& parameters = "int32 a") {
  std::string of_inner = substitute(inner, {{"nothing", ""}});
  of_inner.pop_back();
  return substitute(outer, {{"parameters", parameters}, {"body", body}, {"inner", of_inner}, {"end", ""}});
}

TEST(TemplateLines, are_told_from_the_values_between_them_even_where_these_end_alike) {
  EXPECT_EQ(
      origins("#define NP 4\n" + filled("if (n > 2) {\n  q[n] = 0;\n}")),
      (std::vector<std::string>{"", "outer:1", "outer:2", "outer:3 body", "outer:3 body", "outer:3 body", "outer:4",
                                "inner:1", "inner:2 nothing", "inner:3", "outer:5 inner end", "outer:7"}));
}

TEST(TemplateLines, with_a_value_of_several_lines_in_their_midst_are_one_line_of_the_template) {
  const std::vector<std::string> found = origins(filled("q[n] = 0;", "int32 a,\n    int32 b"));
  EXPECT_EQ(found.at(0), "outer:1");
  EXPECT_EQ(found.at(1), "outer:1");
  EXPECT_EQ(found.at(2), "outer:2");
}

TEST(TemplateLines, of_a_text_that_no_template_has_are_of_none) {
  EXPECT_EQ(origins("int a;\n\n}\n"), (std::vector<std::string>{"", "", ""}));
}

}  // namespace
}  // namespace maxwell_dg::rtcg
