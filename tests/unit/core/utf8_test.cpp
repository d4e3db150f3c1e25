#include "core/utf8.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"

namespace maxwell_dg {
namespace {

const std::string replacement = "\xef\xbf\xbd";

// The first and the last characters of each length.
const std::vector<std::string> characters{"a",
                                          "\x7f",
                                          "\xc2\x80",
                                          "\xdf\xbf",
                                          "\xe0\xa0\x80",
                                          "\xed\x9f\xbf",
                                          "\xee\x80\x80",
                                          "\xef\xbf\xbf",
                                          "\xf0\x90\x80\x80",
                                          "\xf4\x8f\xbf\xbf"};
// A lone following byte, bytes that never occur, longer forms than needed, a surrogate, beyond the last one, cut off.
const std::vector<std::string> no_characters{"\x80",         "\xff",         "\xc0\x80",         "\xc1\xbf",
                                             "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                                             "\xc3",         "\xe2\x82",     "\xf0\x9f\x98"};

TEST(Utf8, is_told_from_other_bytes) {
  EXPECT_TRUE(is_utf8(""));
  for (const std::string& text : characters) EXPECT_TRUE(is_utf8("x" + text + "y")) << ::testing::PrintToString(text);
  for (const std::string& text : no_characters) {
    EXPECT_FALSE(is_utf8("x" + text + "y")) << ::testing::PrintToString(text);
    EXPECT_FALSE(is_utf8(text)) << ::testing::PrintToString(text);
  }
}

TEST(Utf8, is_made_of_any_bytes_and_itself_stays_as_it_is) {
  for (const std::string& text : characters) EXPECT_EQ(as_utf8(text), text);
  for (const std::string& text : no_characters) EXPECT_TRUE(is_utf8(as_utf8(text + "\xc3\xa4"))) << text;
  EXPECT_EQ(as_utf8("R\xe4ume"), "R" + replacement + "ume");
  EXPECT_EQ(from_utf8_or_latin_1("R\xe4ume, \xdf, R\xc3\xa4ume"), "R\xc3\xa4ume, \xc3\x9f, R\xc3\xa4ume");
}

TEST(Utf8, in_one_line_has_no_control_characters_of_any_kind) {
  for (const char* good : {"", "air gap", "a\tb", "R\xc3\xa4ume", "\xe2\x82\xac"})
    EXPECT_TRUE(is_printable_line(good)) << good;
  for (const char* bad : {"a\nb", "\x1b[1m", "\x7f", "a\xc2\x85", "a\xe2\x80\xa8", "R\xe4ume"}) {
    EXPECT_FALSE(is_printable_line(bad)) << bad;
  }
}

TEST(Json, of_any_bytes_is_written_and_read_again) {
  nlohmann::ordered_json json{{"name", "R\xe4ume"}, {"key \xff", {1, "\xc3\xa4"}}};
  const auto again = nlohmann::json::parse(json_text(json));
  EXPECT_EQ(again["name"], "R" + replacement + "ume");
  EXPECT_EQ(again["key " + replacement][1], "\xc3\xa4");
  EXPECT_EQ(json_text(nlohmann::json{{"a", 1}}, -1), "{\"a\":1}");
}

}  // namespace
}  // namespace maxwell_dg
