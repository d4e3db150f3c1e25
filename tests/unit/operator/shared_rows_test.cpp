#include "dg/codegen/shared_rows.hpp"

#include <set>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

constexpr RowReads of_tiles{.values = 1, .items_a_row = 4, .most_without_gaps = 1};

// 16 items of a half-warp read 8 bytes each: four from each of four rows.
TEST(SharedRows, items_that_read_at_once_meet_different_banks) {
  for (int size = 8; size < 200; size += 2) {
    const SharedRows rows = shared_rows(16, size, 2, of_tiles);
    for (int first = 0; first < 16; first += 4) {
      std::set<int> banks;
      for (int row = first; row < first + 4; ++row) {
        for (int column = 0; column < 4; ++column) banks.insert((rows.offset(row) + column) % 16);
      }
      EXPECT_EQ(banks.size(), 16U) << size << ", from row " << first;
    }
  }
}

TEST(SharedRows, have_gaps_only_where_items_would_meet_and_as_few_as_that_takes) {
  const auto expect = [](const SharedRows& rows, int run, int gap) {
    EXPECT_EQ(rows.run, run) << rows.size;
    EXPECT_EQ(rows.gap, gap) << rows.size;
  };
  expect(shared_rows(16, 60, 2, of_tiles), 16, 0);
  expect(shared_rows(16, 120, 2, of_tiles), 2, 4);
  expect(shared_rows(16, 120, 4, of_tiles), 4, 4);
  expect(shared_rows(16, 80, 2, of_tiles), 1, 4);
}

TEST(SharedRows, lie_as_in_memory_where_no_more_items_meet_than_may) {
  const auto run_of = [](int most) {
    return shared_rows(32, 24, 4, {.values = 4, .items_a_row = 1, .most_without_gaps = most}).run;
  };
  EXPECT_EQ(run_of(2), 32);
  EXPECT_EQ(run_of(1), 4);
}

TEST(SharedRows, places_are_one_behind_the_other_but_for_gaps) {
  const SharedRows rows{.size = 10, .run = 2, .gap = 4};
  EXPECT_EQ(rows.offset(1), 10);
  EXPECT_EQ(rows.offset(2), 24);
  EXPECT_EQ(rows.offset(5), 58);
}

}  // namespace
}  // namespace maxwell_dg::dg
