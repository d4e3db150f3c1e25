#include "rtcg/source/literal.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace maxwell_dg::rtcg {
namespace {

// What strtod makes of a literal without its parentheses and suffix.
double read_back(std::string text) {
  std::erase_if(text, [](char c) { return c == '(' || c == ')'; });
  return std::strtod(text.c_str(), nullptr);
}
float read_back_single(std::string text) {
  std::erase_if(text, [](char c) { return c == '(' || c == ')'; });
  return std::strtof(text.c_str(), nullptr);
}

TEST(Literal, doubles_of_random_bits_read_back_to_the_same_bits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = literal(value, Dtype::float64);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read_back(text)), std::bit_cast<std::uint64_t>(value)) << text;
  }
}

TEST(Literal, floats_of_random_bits_read_back_to_the_same_bits) {
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    const std::string text = literal(value, Dtype::float32);
    ASSERT_EQ(text.find_last_of('f'), text.size() - (text.back() == ')' ? 2 : 1)) << text;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(read_back_single(text)), std::bit_cast<std::uint32_t>(value)) << text;
  }
}

TEST(Literal, reals_are_shortest_and_never_look_like_integers) {
  EXPECT_EQ(literal(0.1, Dtype::float32), "0.1f");
  EXPECT_EQ(literal(0.1, Dtype::float64), "0.1");
  EXPECT_EQ(literal(1.0, Dtype::float32), "1.0f");
  EXPECT_EQ(literal(3, Dtype::float64), "3.0");
  EXPECT_EQ(literal(1e300, Dtype::float64), "1e+300");
  EXPECT_EQ(literal(-0.0, Dtype::float64), "(-0.0)");
  EXPECT_EQ(literal(-2.5, Dtype::float32), "(-2.5f)");
}

TEST(Literal, what_is_not_finite_is_spelled_out) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(literal(infinity, Dtype::float32), "INFINITY");
  EXPECT_EQ(literal(-infinity, Dtype::float64), "(-((float64)INFINITY))");
  EXPECT_EQ(literal(std::nan(""), Dtype::float64), "((float64)NAN)");
  EXPECT_EQ(literal(1e300, Dtype::float32), "INFINITY");  // as a conversion to float rounds it
}

TEST(Literal, integers_carry_suffixes_and_the_most_negative_is_a_difference) {
  EXPECT_EQ(literal(7, Dtype::int32), "7");
  EXPECT_EQ(literal(-7L, Dtype::int64), "(-7L)");
  EXPECT_EQ(literal(7u, Dtype::uint32), "7u");
  EXPECT_EQ(literal(std::numeric_limits<std::uint64_t>::max(), Dtype::uint64), "18446744073709551615uL");
  EXPECT_EQ(literal(std::numeric_limits<int>::min(), Dtype::int32), "(-2147483647 - 1)");
  EXPECT_EQ(literal(std::numeric_limits<long>::min(), Dtype::int64), "(-9223372036854775807L - 1)");
  EXPECT_EQ(literal(std::numeric_limits<int>::max(), Dtype::int32), "2147483647");
  EXPECT_EQ(literal(5.0, Dtype::int32), "5");
}

TEST(Literal, values_that_do_not_fit_are_refused) {
  EXPECT_THROW((void)literal(2147483648L, Dtype::int32), std::invalid_argument);
  EXPECT_THROW((void)literal(-2147483649L, Dtype::int32), std::invalid_argument);
  EXPECT_THROW((void)literal(-1, Dtype::uint32), std::invalid_argument);
  EXPECT_THROW((void)literal(-1, Dtype::uint64), std::invalid_argument);
  EXPECT_THROW((void)literal(0.5, Dtype::int32), std::invalid_argument);
  EXPECT_THROW((void)literal(std::nan(""), Dtype::int64), std::invalid_argument);
  try {
    (void)literal(4294967296L, Dtype::uint32);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "no literal of type uint32 holds 4294967296");
  }
}

}  // namespace
}  // namespace maxwell_dg::rtcg
