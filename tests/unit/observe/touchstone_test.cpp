#include "dg/observe/files/touchstone.hpp"

#include <complex>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

/// S(row, column) = 10 row + column, both from 1, with an imaginary part of 0.5.
Eigen::MatrixXcd numbered(Eigen::Index ports) {
  Eigen::MatrixXcd S(ports, ports);
  for (Eigen::Index i = 0; i < ports; ++i) {
    for (Eigen::Index k = 0; k < ports; ++k)
      S(i, k) = {10.0 * static_cast<double>(i + 1) + static_cast<double>(k + 1), 0.5};
  }
  return S;
}

TEST(Touchstone, two_ports_go_column_by_column) {
  EXPECT_EQ(touchstone({.comments = {"a line"}, .reference_ohm = 50, .frequencies = {1e9}, .S = {numbered(2)}}),
            "! a line\n# Hz S RI R 50\n1e+09 11 0.5 21 0.5 12 0.5 22 0.5\n");
}

TEST(Touchstone, comments_stay_comments_whatever_they_hold) {
  EXPECT_EQ(
      touchstone(
          {.comments = {"a port\n9e9 7 7", "R\xe4ume"}, .reference_ohm = 50, .frequencies = {2.5}, .S = {numbered(1)}}),
      "! a port\n! 9e9 7 7\n! R\xef\xbf\xbdume\n# Hz S RI R 50\n2.5 11 0.5\n");
}

TEST(Touchstone, others_go_row_by_row_four_a_line) {
  EXPECT_EQ(touchstone({.comments = {}, .reference_ohm = 75, .frequencies = {2.5}, .S = {numbered(1)}}),
            "# Hz S RI R 75\n2.5 11 0.5\n");
  EXPECT_EQ(touchstone({.comments = {}, .reference_ohm = 50, .frequencies = {2.5}, .S = {numbered(3)}}),
            "# Hz S RI R 50\n2.5 11 0.5 12 0.5 13 0.5\n 21 0.5 22 0.5 23 0.5\n 31 0.5 32 0.5 33 0.5\n");
  const std::string five = touchstone({.comments = {}, .reference_ohm = 50, .frequencies = {1}, .S = {numbered(5)}});
  EXPECT_NE(five.find("1 11 0.5 12 0.5 13 0.5 14 0.5\n 15 0.5\n 21 0.5"), std::string::npos) << five;
}

}  // namespace
}  // namespace maxwell_dg::dg
