#include "dg/codegen/lanes/lane_generator.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/codegen/curved/lanes/curved_lane_generator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/reference/element_quadrature.hpp"
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

// With copies for each kind of mirror sums, and for E and H, this text has 180,000 characters at order 4, and more at
// higher ones. It would be as right, only longer in compiling.
TEST(LaneGenerator, writes_one_loop_over_kinds_of_mirror_sums_and_parts_of_curved_elements) {
  const LoweredSystem lowered = lower(maxwell::system());
  const auto text = [&](int N) {
    const ReferenceElement reference = ReferenceElement::make(N);
    const ElementQuadrature quadrature = ElementQuadrature::make(reference);
    const CurvedLaneGenerator curved(
        {lowered, reference, quadrature, {"some", N, Dtype::float32, Schedule::named("lanes8_n4")}},
        {.lanes = 8, .rows = 4});
    return curved.stage().text;
  };
  for (int N = 4; N <= 6; ++N) {
    const std::string of_order = text(N);
    EXPECT_LT(of_order.size(), 110'000U) << "order " << N;
    EXPECT_NE(of_order.find("for (int32 part = 0; part < 2; ++part) {"), std::string::npos) << "order " << N;
  }
}

TEST(LaneSteps, of_several_kinds_have_shapes_in_an_order_that_all_kinds_keep) {
  // Of 14 rows 8, of 8 rows 5, and of 3 rows none are multiplied out.
  const std::vector<std::vector<LaneStep>> kinds{lane_steps(14, 8, 4), lane_steps(8, 5, 4), lane_steps(3, 0, 4)};
  const std::vector<LaneStep> shapes = shapes_of(kinds);
  std::vector<std::pair<int, int>> rows;
  for (const LaneStep& shape : shapes) rows.emplace_back(shape.at_once, shape.multiplied);
  EXPECT_EQ(rows, (std::vector<std::pair<int, int>>{{4, 4}, {4, 1}, {3, 0}}));
  EXPECT_EQ(ends_of(shapes, kinds[0]), (std::vector<int>{8, 8, 14}));
  EXPECT_EQ(ends_of(shapes, kinds[1]), (std::vector<int>{4, 8, 8}));
  EXPECT_EQ(ends_of(shapes, kinds[2]), (std::vector<int>{0, 0, 3}));
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
