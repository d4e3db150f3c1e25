#include "dg/observe/files/base64.hpp"

#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string encoded(std::string_view text) {
  std::ostringstream stream;
  Base64 base64(stream);
  base64.write(bytes_of(text));
  base64.finish();
  return stream.str();
}

TEST(Base64, gives_the_texts_of_rfc_4648) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xff\xfe\xfb"), "//77");
}

TEST(Base64, does_not_see_how_bytes_come) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += static_cast<char>(i * 7 % 256);
  const std::string whole = encoded(text);
  for (const std::size_t piece : {1U, 2U, 5U, 4096U, 9999U}) {
    std::ostringstream stream;
    Base64 base64(stream);
    for (std::size_t i = 0; i < text.size(); i += piece)
      base64.write(bytes_of(std::string_view(text).substr(i, piece)));
    base64.finish();
    EXPECT_EQ(stream.str(), whole) << piece;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
