#include "core/in_parallel.hpp"

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace maxwell_dg {
namespace {

TEST(InParallel, each_number_comes_once) {
  for (const std::size_t count : {0U, 1U, 1000U}) {
    std::vector<std::atomic<int>> calls(count);
    for_each_in_parallel(count, [&](std::size_t i) { ++calls.at(i); });
    for (const std::atomic<int>& of_number : calls) EXPECT_EQ(of_number, 1);
  }
}

TEST(InParallel, what_one_throws_is_thrown) {
  const auto fail_at = [](std::size_t bad) {
    for_each_in_parallel(100, [&](std::size_t i) {
      if (i == bad) throw std::runtime_error("number " + std::to_string(i));
    });
  };
  for (const std::size_t bad : {std::size_t{0}, std::size_t{99}}) {
    try {
      fail_at(bad);
      FAIL() << "no error";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "number " + std::to_string(bad));
    }
  }
}

}  // namespace
}  // namespace maxwell_dg
