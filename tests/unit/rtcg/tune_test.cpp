#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rtcg/tune/ceilings.hpp"
#include "rtcg/tune/measure.hpp"
#include "tests/unit/rtcg/device_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class TuneTest : public DeviceTest {};

TEST_F(TuneTest, work_is_enqueued_for_warm_up_and_repeats) {
  int calls = 0;
  const core::Buffer buffer = device_.allocate(1 << 20);
  const double seconds = measure_seconds(stream_,
                                         [&] {
                                           ++calls;
                                           stream_.fill_zero(buffer);
                                         },
                                         {.warm_up = 3, .repeats = 5, .seconds_per_repeat = 0});
  EXPECT_EQ(calls, 3 + 1 + 5);  // one more to see how long a call takes
  EXPECT_GT(seconds, 0);
}

TEST_F(TuneTest, work_goes_on_for_a_while_before_it_is_timed) {
  int calls = 0;
  const core::Buffer buffer = device_.allocate(1 << 20);
  const auto begin = std::chrono::steady_clock::now();
  (void)measure_seconds(stream_,
                        [&] {
                          ++calls;
                          stream_.fill_zero(buffer);
                        },
                        {.warm_up = 0, .warm_up_seconds = 0.1, .repeats = 1, .seconds_per_repeat = 0});
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(100));
  EXPECT_GT(calls, 2);
}

TEST_F(TuneTest, works_take_turns_until_the_time_is_over) {
  std::string calls;
  const core::Buffer buffer = device_.allocate(1 << 20);
  const auto work = [&](char name) {
    return Work{stream_, [&calls, &buffer, this, name] {
                  calls += name;
                  stream_.fill_zero(buffer);
                }};
  };
  const std::vector<Work> works{work('a'), work('b')};
  const auto turns = [&](double seconds) {
    calls.clear();
    const std::vector<double> tenths = measure_in_turns(works, seconds);
    EXPECT_EQ(tenths.size(), 2U);
    for (const double tenth : tenths) EXPECT_GT(tenth, 0);
    std::string order;
    for (const char name : calls) {
      if (order.empty() || order.back() != name) order += name;
    }
    return order;
  };
  EXPECT_EQ(turns(0), "ab");  // each once, with calls before that warm up
  EXPECT_GE(std::count(calls.begin(), calls.end(), 'a'), 3);
  EXPECT_EQ(turns(1).substr(0, 4), "abab");
}

// Bounds that no machine of today crosses: they catch a kernel that was optimized away, or a wrong count.
TEST_F(TuneTest, ceilings_are_of_a_real_machine) {
  Compiler c = compiler();
  const Ceilings ceilings = measure_ceilings(c);
  RecordProperty("copy_gb_s", std::to_string(ceilings.copy_gb_s));
  RecordProperty("fma_gflops_single", std::to_string(ceilings.fma_gflops_single));
  RecordProperty("fma_gflops_double", std::to_string(ceilings.fma_gflops_double));
  const double units = device_.info().compute_units;
  EXPECT_GT(ceilings.copy_gb_s, 0.1);
  EXPECT_LT(ceilings.copy_gb_s, 20000);
  EXPECT_GT(ceilings.fma_gflops_single, 0.5 * units);
  EXPECT_LT(ceilings.fma_gflops_single, 2000 * units);
  if (device_.info().has_float64) {
    EXPECT_GT(ceilings.fma_gflops_double, 0.01 * units);
    EXPECT_LT(ceilings.fma_gflops_double, 1.3 * ceilings.fma_gflops_single);
  }
  if (device_.info().backend == core::Backend::opencl) {
    EXPECT_EQ(ceilings.tensor_gflops_tf32, 0);
    EXPECT_EQ(ceilings.tensor_gflops_double, 0);
  }
}

TEST_F(TuneTest, what_bounds_a_precision_is_the_copy_and_its_own_arithmetic) {
  Compiler c = compiler();
  const auto of = [&](Dtype precision) {
    Ceilings seen;
    for (const CeilingWork& work : ceiling_works(c, precision)) {
      work.work.enqueue();
      work.work.stream.synchronize();
      seen.*work.ceiling = work.amount;
    }
    return seen;
  };
  const Ceilings single = of(Dtype::float32);
  EXPECT_GT(single.copy_gb_s, 0);
  EXPECT_GT(single.best_gflops(Dtype::float32), 0);
  EXPECT_EQ(single.best_gflops(Dtype::float64), 0);
  if (!device_.info().has_float64) return;
  const Ceilings twice = of(Dtype::float64);
  EXPECT_EQ(twice.copy_gb_s, single.copy_gb_s);
  EXPECT_EQ(twice.best_gflops(Dtype::float32), 0);
  EXPECT_GT(twice.best_gflops(Dtype::float64), 0);
}

TEST(Ceilings, the_best_rate_counts_three_tf32_products_as_one) {
  const Ceilings ceilings{
      .fma_gflops_single = 60, .fma_gflops_double = 30, .tensor_gflops_tf32 = 300, .tensor_gflops_double = 20};
  EXPECT_EQ(ceilings.best_gflops(Dtype::float32), 100);
  EXPECT_EQ(ceilings.best_gflops(Dtype::float64), 30);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
