#include "dg/codegen/lanes/lane_generator.hpp"

#include <string>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {
namespace {

LaneGenerator generator(const LoweredSystem& lowered, int N, const std::string& schedule) {
  return {lowered, {"some", N, Dtype::float64, Schedule::named(schedule)}};
}

// Else the kernel would be as right, only slower.
TEST(LaneGenerator, factors_are_those_that_mirror_sums_and_degrees_leave) {
  const LoweredSystem lowered = lower(maxwell::system());
  const auto factors = [&](int N, const char* schedule) {
    const ReferenceElement reference = ReferenceElement::make(N);
    const LaneGenerator lanes = generator(lowered, N, schedule);
    return std::pair(lanes.derivative_factors(reference).size(), lanes.lift_factors(reference).size());
  };
  // Of 300 and 240 entries at order 2: along u, v and w 14, 10 and 10 at the four rows of a linear polynomial, and 8
  // from those to the others.
  EXPECT_EQ(factors(2, "lanes8_n3"), std::pair(std::size_t{42}, std::size_t{68}));
  EXPECT_EQ(factors(2, "lanes8_n1"), factors(2, "lanes8_n8"));
  for (int N = 4; N <= 9; ++N) {
    const auto [D, LIFT] = factors(N, "lanes8_n4");
    const auto Np = static_cast<std::size_t>(node_count(N)), Nfp = static_cast<std::size_t>(face_node_count(N));
    EXPECT_LT(D, 3 * Np * Np / 4) << "order " << N;
    EXPECT_LT(LIFT, Np * 4 * Nfp * 28 / 100) << "order " << N;
  }
}

// E and H read and write the same from other places. Else the kernel would be as right, only twice as long.
TEST(LaneGenerator, writes_one_loop_over_both_parts_at_high_orders) {
  const auto text = [](const System& system, int N) {
    return generator(lower(system), N, "lanes8_n4_apart").stage().text;
  };
  const std::string loop = "for (int32 part = 0; part < 2; ++part) {";
  EXPECT_EQ(text(maxwell::system(), 6).find(loop), std::string::npos);
  const std::string at_order_7 = text(maxwell::system(), 7);
  EXPECT_NE(at_order_7.find(loop), std::string::npos);
  EXPECT_LT(at_order_7.size(), 0.8 * static_cast<double>(text(maxwell::system(), 6).size()));
  EXPECT_EQ(text(acoustics::system(), 7).find(loop), std::string::npos) << "pressure and velocity are not alike";
}

TEST(LaneGenerator, refuses_lanes_that_no_vector_has) {
  const LoweredSystem lowered = lower(acoustics::system());
  for (const char* name : {"lanes1_n1", "lanes3_n1", "lanes32_n1", "lanes8_n0"}) {
    EXPECT_THROW((void)generator(lowered, 1, name), std::invalid_argument) << name;
  }
  EXPECT_THROW(LaneGenerator(lowered, {"some", 1, Dtype::float32, Schedule::named("lanes2_n1")}),
               std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
