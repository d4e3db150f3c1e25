#include "dg/operator/lane_generator.hpp"

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {
namespace {

LaneGenerator generator(const LoweredSystem& lowered, int N, const std::string& schedule) {
  return {lowered, {"some", N, Dtype::float64, Schedule::named(schedule, Dtype::float64)}};
}

// Else the kernel would be as right, only slower.
TEST(LaneGenerator, derivatives_are_multiplied_out_at_no_more_nodes_than_their_degree_takes) {
  const LoweredSystem lowered = lower(maxwell::system());
  for (std::size_t N = 1; N <= 9; ++N) {
    const ReferenceElement reference = ReferenceElement::make(static_cast<int>(N));
    const std::size_t Np = (N + 1) * (N + 2) * (N + 3) / 6, least = N * (N + 1) * (N + 2) / 6;
    const LaneGenerator lanes = generator(lowered, static_cast<int>(N), "lanes8_n3");
    EXPECT_EQ(lanes.derivative_factors(reference).size(), 3 * least * Np + (Np - least) * least);
    EXPECT_EQ(lanes.lift_factors(reference).size(), static_cast<std::size_t>(reference.LIFT.size()));
  }
}

TEST(LaneGenerator, refuses_lanes_that_no_vector_has) {
  const LoweredSystem lowered = lower(acoustics::system());
  for (const char* name : {"lanes1_n1", "lanes3_n1", "lanes32_n1", "lanes8_n0"}) {
    EXPECT_THROW((void)generator(lowered, 1, name), std::invalid_argument) << name;
  }
  EXPECT_THROW(LaneGenerator(lowered, {"some", 1, Dtype::float32, Schedule::named("lanes2_n1", Dtype::float32)}),
               std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
