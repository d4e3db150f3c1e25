#include "dg/observe/decay_record.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

TEST(DecayRecord, is_the_last_value_over_the_largest) {
  DecayRecord record({.end = 10});
  EXPECT_FALSE(record.ratio(0));
  double time = 0;
  for (const double value : {0.0, 4.0, 8.0, 2.0}) record.add(++time, value);
  EXPECT_EQ(record.peak(0), 8);
  EXPECT_EQ(record.ratio(0), 0.25);
}

TEST(DecayRecord, has_turns_of_their_own) {
  DecayRecord record({.end = 10, .turns = 2});
  record.add(0, 1);
  record.add(4.9, 0.1);
  record.add(5, 10);  // the second turn begins here
  record.add(10, 0.1);
  EXPECT_EQ(record.ratio(0), 0.1);
  EXPECT_EQ(record.ratio(1), 0.01);
}

TEST(DecayRecord, takes_the_largest_of_a_window_where_the_quantity_oscillates) {
  DecayRecord record({.end = 10, .window = 2});
  for (double t = 0; t <= 10; t += 0.25) record.add(t, std::exp(-t) * std::abs(std::cos(8 * t)));
  EXPECT_EQ(record.peak(0), 1);
  EXPECT_LT(*record.ratio(0), std::exp(-8));
  EXPECT_GT(*record.ratio(0), std::exp(-8.5));
}

TEST(DecayRecord, has_its_window_wherever_it_ends) {
  DecayRecord record({.end = 100, .window = 2});
  for (double t = 0; t <= 6; t += 0.5) record.add(t, t == 4.5 ? 0.5 : (t == 1 ? 1.0 : 0.25));
  EXPECT_EQ(record.ratio(0), 0.5);
  record.add(6.5, 0.125);
  EXPECT_EQ(record.ratio(0), 0.5) << "just within the window";
  record.add(7, 0.125);
  EXPECT_EQ(record.ratio(0), 0.25);
  record.add(20, 0.0);
  EXPECT_EQ(record.ratio(0), 0.0);
}

TEST(DecayRecord, goes_on_where_it_was_saved) {
  const DecayRecord::Options options{.end = 10, .turns = 2, .window = 1, .name = "test"};
  DecayRecord whole(options), first(options), second(options);
  const auto value = [](double t) { return 1 + std::sin(7 * t); };
  for (int i = 0; i <= 100; ++i) {
    whole.add(0.1 * i, value(0.1 * i));
    (i < 48 ? first : second).add(0.1 * i, value(0.1 * i));
    if (i != 47) continue;
    Archive archive;
    first.save(archive);
    second.load(archive);
  }
  for (const std::size_t turn : {0U, 1U}) {
    EXPECT_EQ(second.peak(turn), whole.peak(turn));
    EXPECT_EQ(second.last(turn), whole.last(turn));
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
