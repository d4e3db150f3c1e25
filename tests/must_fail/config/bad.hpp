#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace maxwell_dg::config {

/// A bad config, and what must be said about it; FILE stands for its path. `minimal` has four lines; what is appended
/// to it starts in line 5.
struct Bad {
  std::string name;
  std::string text;
  std::vector<std::string> lines;
  std::vector<std::string> overrides{};
};

inline void PrintTo(const Bad& bad, std::ostream* out) {
  *out << bad.name;
}

/// Is refused with place, finding and remedy (bad_config_test.cpp). Each table of bad configs is in a file of its own.
class BadConfig : public testing::TestWithParam<Bad> {};

}  // namespace maxwell_dg::config
