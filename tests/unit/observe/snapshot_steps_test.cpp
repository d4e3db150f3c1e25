#include <gtest/gtest.h>

#include "dg/observe/field_series.hpp"

namespace maxwell_dg::dg {
namespace {

using Steps = std::vector<long>;

TEST(snapshot_steps, an_interval_takes_the_nearest_steps) {
  EXPECT_EQ(steps_every(0.25, 1.0, 10), (Steps{0, 3, 5, 8, 10}));
}

TEST(snapshot_steps, an_interval_that_divides_the_end_but_for_rounding_includes_it) {
  EXPECT_EQ(steps_every(0.1, 0.3, 30).back(), 30);  // 3 * 0.1 > 0.3 in double
}

TEST(snapshot_steps, an_interval_shorter_than_a_step_takes_every_step_once) {
  EXPECT_EQ(steps_every(0.01, 1.0, 4), (Steps{0, 1, 2, 3, 4}));
}

TEST(snapshot_steps, a_count_comes_after_the_first_and_includes_the_last) {
  EXPECT_EQ(steps_evenly(2, 1.0, 10), (Steps{0, 5, 10}));
  EXPECT_EQ(steps_evenly(1, 1.0, 10), (Steps{0, 10}));
  EXPECT_EQ(steps_evenly(49, 1.0, 98).size(), 50u);
  EXPECT_EQ(steps_evenly(49, 1.0, 98).back(), 98);
  EXPECT_EQ(steps_evenly(50, 1.0, 2), (Steps{0, 1, 2}));
}

TEST(snapshot_steps, of_a_run_that_goes_on_with_other_steps_lie_at_the_same_times) {
  // Ten steps to t = 1, then twelve of half that length to t = 1.6.
  const Moment origin{.step = 10, .time = 1};
  EXPECT_EQ(steps_every(0.25, 1.6, 22, origin), (Steps{10, 15, 20}));
  EXPECT_EQ(steps_evenly(4, 1.6, 22, origin), (Steps{14, 22}));
  EXPECT_EQ(steps_every(0.01, 1.6, 12, origin), (Steps{10, 11, 12}));
}

}  // namespace
}  // namespace maxwell_dg::dg
