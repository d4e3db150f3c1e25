#include "dg/codegen/tiles/bank_order.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

/// The most of each four in a row that agree modulo 4, the sum over all fours.
int waits(const std::vector<int>& order, const std::vector<int>& offsets) {
  int sum = 0;
  for (std::size_t first = 0; first < order.size(); first += 4) {
    std::vector<int> in_bank(4);
    for (std::size_t i = first; i < std::min(first + 4, order.size()); ++i) {
      ++in_bank[static_cast<std::size_t>(offsets[static_cast<std::size_t>(order[i])] % 4)];
    }
    sum += std::ranges::max(in_bank) - 1;
  }
  return sum;
}

TEST(BankOrder, squares_meet_in_no_bank_where_that_can_be) {
  std::vector<int> offsets, all(16);
  for (int bank = 0; bank < 4; ++bank) {
    for (int i = 0; i < 4; ++i) offsets.push_back(4 * i + bank);
  }
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(waits(all, offsets), 12);
  std::vector<int> order = order_by_squares({{offsets}}, {16});
  EXPECT_EQ(waits(order, offsets), 0);
  std::ranges::sort(order);
  EXPECT_EQ(order, all);
}

TEST(BankOrder, classes_stay_together_and_one_place_is_no_conflict) {
  const std::vector<int> offsets{0, 4, 1, 5, 2, 6, 3};
  const std::vector<int> order = order_by_squares({{offsets}}, {3, 4});
  std::vector<int> first(order.begin(), order.begin() + 3);
  std::ranges::sort(first);
  EXPECT_EQ(first, (std::vector<int>{0, 1, 2}));
  const std::vector<int> natural{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(order_by_squares({{std::vector<int>(8, 5)}}, {8}), natural);  // items share what they read
}

TEST(BankOrder, every_candidate_has_a_place) {
  EXPECT_THROW((void)order_by_squares({{{1, 2, 3}}}, {2, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
