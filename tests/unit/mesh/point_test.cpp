#include "dg/mesh/point.hpp"

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

TEST(Point, is_told_without_what_is_rounding_beside_its_largest_coordinate) {
  EXPECT_EQ(text_of({6.12e-18, -0.25, 4e-17}), "(0, -0.25, 0)");
  EXPECT_EQ(text_of({3e-9, -2e-6, 1}), "(3e-09, -2e-06, 1)");
  EXPECT_EQ(text_of({0, 0, -5e-18}), "(0, 0, -5e-18)");
}

}  // namespace
}  // namespace maxwell_dg::dg
