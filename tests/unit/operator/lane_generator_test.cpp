#include "dg/codegen/lanes/lane_generator.hpp"

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
