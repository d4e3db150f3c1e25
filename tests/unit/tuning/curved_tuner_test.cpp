#include "dg/tuning/curved_tuner.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/tuning/stage_tuner.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::dg {
namespace {

using maxwell_dg::testing::test_compiler;

/// Order 1 on a cube of which half is curved, with a wisdom directory of its own.
class CurvedTunerTest : public ::testing::Test {
 protected:
  CurvedTunerTest()
      : discretization_(std::make_shared<Discretization>(testing::half_curved_cube(2), 1)),
        problem_(testing::random_problem(maxwell::system(), *discretization_)),
        schedule_(StageTuner(test_compiler(), discretization_, problem_, {.wisdom_directory = wisdom_.path()})
                      .expect(0, {.seconds = 0})
                      .variant.schedule),
        tuner_(test_compiler(), discretization_, problem_, schedule_, {.wisdom_directory = wisdom_.path()}) {}
  static rtcg::TuneOptions quick() {
    return {.seconds = 60, .measure = {.warm_up = 0, .repeats = 1, .seconds_per_repeat = 0}};
  }

  const TemporaryDirectory wisdom_;
  std::shared_ptr<Discretization> discretization_;
  Problem problem_;
  Schedule schedule_;
  CurvedTuner tuner_;
};

TEST_F(CurvedTunerTest, takes_the_default_until_something_was_tuned_and_what_was_found_from_then_on) {
  EXPECT_EQ(tuner_.choose(), tuner_.problem().first.front());
  const rtcg::TuningResult result = tuner_.tune(quick());
  ASSERT_FALSE(result.table.empty());
  for (const rtcg::CandidateReport& row : result.table) {
    // A GPU may have too few registers for some of them; none computes anything wrong.
    EXPECT_TRUE(row.rejection.empty() || row.rejection.starts_with("spills"))
        << row.rejection << ": " << rtcg::written(row.configuration);
    EXPECT_TRUE(tuner_.problem().space.contains(row.configuration));
    EXPECT_TRUE(row.configuration != result.best || row.rejection.empty());
  }
  EXPECT_EQ(tuner_.choose(), result.best);
  CurvedTuner another(test_compiler(), discretization_, problem_, schedule_, {.wisdom_directory = wisdom_.path()});
  EXPECT_EQ(another.choose(), result.best);
}

TEST_F(CurvedTunerTest, straight_elements_beside_curved_ones_are_tuned_too) {
  StageTuner tuner(test_compiler(), discretization_, problem_,
                   {.wisdom_directory = wisdom_.path(), .only = {schedule_}});
  const rtcg::TuningResult result = tuner.tune(quick());
  ASSERT_EQ(result.table.size(), 1U);
  EXPECT_EQ(result.table.front().rejection, "");
}

TEST_F(CurvedTunerTest, asks_a_question_of_its_own) {
  EXPECT_EQ(tuner_.problem().question, "curved stage 1 maxwell N1 float64 beside " + schedule_.slicing_name() +
                                           (schedule_.in_basis_of_element() ? " in its basis" : ""));
}

TEST(CurvedVerification, notices_a_stage_that_is_wrong_on_curved_elements_alone) {
  const Verification straight(maxwell::system(), 1);
  const Verification curved(maxwell::system(), 1, nullptr, ElementRange::Shape::curved);
  EXPECT_FALSE(straight.discretization()->curved);
  ASSERT_TRUE(curved.discretization()->curved);
  const std::size_t all = curved.discretization()->K(), of_curved = curved.discretization()->mesh.curved.count();
  EXPECT_GT(of_curved, 0U);
  EXPECT_LT(of_curved, all);
  const core::DeviceInfo& device = test_compiler().device().info();
  const Schedule schedule = Schedule::named(device.is_cpu ? "lanes8_n4" : "tiles_e16_w2_r1");
  EXPECT_LT(curved.error_of(test_compiler(), schedule, Dtype::float64, all), 1e-13);
}

}  // namespace
}  // namespace maxwell_dg::dg
