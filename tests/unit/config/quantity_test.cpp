#include "core/quantity.hpp"

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/suggest.hpp"

namespace maxwell_dg::core {
namespace {

std::string message_of(const std::string& text, Dimension dimension) {
  try {
    static_cast<void>(parse_quantity(text, dimension));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Quantity, units_and_prefixes_become_si) {
  EXPECT_DOUBLE_EQ(parse_quantity("1.5 mm", Dimension::length), 1.5e-3);
  EXPECT_DOUBLE_EQ(parse_quantity("1.5mm", Dimension::length), 1.5e-3);
  EXPECT_DOUBLE_EQ(parse_quantity("  -2e3 um ", Dimension::length), -2e-3);
  EXPECT_DOUBLE_EQ(parse_quantity("3 \u00b5m", Dimension::length), 3e-6);
  EXPECT_DOUBLE_EQ(parse_quantity("3 \u03bcm", Dimension::length), 3e-6);
  EXPECT_DOUBLE_EQ(parse_quantity("20 ns", Dimension::time), 20e-9);
  EXPECT_DOUBLE_EQ(parse_quantity("2 min", Dimension::time), 120.0);
  EXPECT_DOUBLE_EQ(parse_quantity("3 GHz", Dimension::frequency), 3e9);
  EXPECT_DOUBLE_EQ(parse_quantity("5 mS/m", Dimension::conductivity), 5e-3);
  EXPECT_DOUBLE_EQ(parse_quantity("5 S/cm", Dimension::conductivity), 500.0);
  EXPECT_DOUBLE_EQ(parse_quantity("1 g/cm^3", Dimension::density), 1000.0);
  EXPECT_DOUBLE_EQ(parse_quantity("1.2 kg/m^3", Dimension::density), 1.2);
  EXPECT_DOUBLE_EQ(parse_quantity("1.5 km/s", Dimension::speed), 1500.0);
}

TEST(Quantity, a_number_with_a_unit_is_rounded_once) {
  EXPECT_EQ(parse_quantity("8.2 GHz", Dimension::frequency), 8200000000.0);
  EXPECT_EQ(parse_quantity("22.86 mm", Dimension::length), 0.02286);
  EXPECT_EQ(parse_quantity("1.1e-3 ns", Dimension::time), 1.1e-12);
  EXPECT_EQ(parse_quantity("1.2E+1 GHz", Dimension::frequency), 1.2e10);
  EXPECT_EQ(parse_quantity("0.3 mS/cm", Dimension::conductivity), 0.03);
  EXPECT_EQ(parse_quantity("7.87 g/cm^3", Dimension::density), 7870.0);
  EXPECT_EQ(parse_quantity("1.5 min", Dimension::time), 90.0);
  EXPECT_EQ(parse_quantity("1e-310 fs", Dimension::time), 0.0);
  EXPECT_EQ(message_of("1e300 PHz", Dimension::frequency), "'1e300 PHz' is too large");
}

TEST(Quantity, a_unit_that_is_nearly_right_is_named) {
  const auto guess = [](const std::string& text, Dimension dimension) {
    const std::string message = message_of(text, dimension);
    const std::size_t at = message.find("; did you mean ");
    return at == std::string::npos ? message : message.substr(at + 15);
  };
  EXPECT_EQ(guess("5 mmm", Dimension::length), "'mm'?");
  EXPECT_EQ(guess("5 MM", Dimension::length), "'mm'?");
  EXPECT_EQ(guess("5 inches", Dimension::length), "'25.4 mm'?");
  EXPECT_EQ(guess("5 GHZ", Dimension::frequency), "'GHz'?");
  EXPECT_EQ(guess("5 mhz", Dimension::frequency), "'MHz'?");
  EXPECT_EQ(guess("5 Ns", Dimension::time), "'ns'?");
  EXPECT_EQ(guess("5 NS", Dimension::time), "'ns'?");
  EXPECT_EQ(guess("5 sec", Dimension::time), "'s'?");
  EXPECT_EQ(guess("50 Ohm", Dimension::impedance), "'ohm'?");
  EXPECT_EQ(guess("50 \u03a9", Dimension::impedance), "'ohm'?");
  EXPECT_NE(message_of("1,5 mm", Dimension::length).find("; decimals are written with a point, as in '1.5'"),
            std::string::npos);
}

TEST(Quantity, a_unit_of_another_dimension_is_refused_and_both_are_named) {
  EXPECT_EQ(message_of("20 ns", Dimension::length), "'20 ns' is a time; allowed: a length such as '1.5 mm'");
  EXPECT_EQ(message_of("1 m", Dimension::frequency), "'1 m' is a length; allowed: a frequency such as '3 GHz'");
}

TEST(Quantity, what_is_no_quantity_is_refused_with_a_reason) {
  EXPECT_EQ(message_of("mm", Dimension::length),
            "'mm' does not start with a number; allowed: a length such as '1.5 mm'");
  EXPECT_EQ(message_of("3", Dimension::length), "'3' has no unit; allowed: a length such as '1.5 mm'");
  EXPECT_EQ(message_of("3 Ghz", Dimension::frequency),
            "'3 Ghz' has the unknown unit 'Ghz'; allowed: a frequency such as '3 GHz'; did you mean 'GHz'?");
  for (const char* text : {"", " ", "1e999 m", "1 m m", "1 /m", "1 m/", "nan m", "inf m", "0x1 m", "1,5 m", "- 1 m"}) {
    EXPECT_NE(message_of(text, Dimension::length), "no error") << text;
  }
}

TEST(Quantity, numbers_are_decimal_finite_and_whole) {
  EXPECT_EQ(parse_number("1e-05"), 1e-5);
  EXPECT_EQ(parse_number("+.5"), 0.5);
  EXPECT_EQ(parse_number("-3."), -3.0);
  for (const char* text : {"", "1 ", "1x", "0x10", "nan", "inf", "1e999", "+-1", "1_000", "e5"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(Quantity, formatting_chooses_the_prefix_people_would) {
  EXPECT_EQ(format_quantity(1.5e-3, Dimension::length), "1.5 mm");
  EXPECT_EQ(format_quantity(0.0, Dimension::time), "0 s");
  EXPECT_EQ(format_quantity(299792458.0, Dimension::frequency, 4), "299.8 MHz");
  EXPECT_EQ(format_quantity(2.0, Dimension::conductivity), "2 S/m");
  EXPECT_EQ(format_quantity(1000.0, Dimension::density), "1000 kg/m^3");
  EXPECT_EQ(format_quantity(-0.02, Dimension::length), "-20 mm");
  EXPECT_EQ(format_quantity(8.2e9, Dimension::frequency), "8.2 GHz");
  EXPECT_EQ(format_quantity(1.935e14, Dimension::frequency, 4), "193.5 THz");
  EXPECT_EQ(format_quantity(1.2e-14, Dimension::time, 4), "12 fs");
  EXPECT_EQ(format_quantity(9.99996e-10, Dimension::time, 4), "1 ns") << "rounded before the prefix is chosen";
  EXPECT_EQ(format_quantity(1e-20, Dimension::time, 4), "1e-20 s") << "beyond all prefixes";
  EXPECT_EQ(with_prefix(3.14159e-12, "J"), "3.142 pJ");
  EXPECT_EQ(with_prefix(3.14159e-12, ""), "3.142e-12");
}

TEST(Quantity, printed_quantities_and_numbers_read_back) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-14, 14), mantissa(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    const double value = mantissa(random) * std::pow(10.0, exponent(random));
    EXPECT_EQ(parse_number(format_number(value)), value);
    for (const Dimension d : {Dimension::length, Dimension::time, Dimension::frequency, Dimension::conductivity}) {
      EXPECT_EQ(parse_quantity(format_quantity(value, d), d), value);
    }
  }
}

TEST(Suggest, only_near_words_are_suggested) {
  const std::vector<std::string> words{"every", "count", "quantities", "epsilon_r"};
  EXPECT_EQ(nearest("evry", words), "every");
  EXPECT_EQ(nearest("cuont", words), "count") << "swapped neighbours";
  EXPECT_EQ(nearest("Every", words), "every");
  EXPECT_EQ(nearest("epsilonr", words), "epsilon_r");
  EXPECT_EQ(nearest("pml", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest(std::string(100000, 'e'), words), "");
  EXPECT_EQ(did_you_mean("evry", words), "; did you mean 'every'?");
  EXPECT_EQ(did_you_mean("x", words), "");
}

}  // namespace
}  // namespace maxwell_dg::core
