#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/must_fail/app/program.hpp"

namespace maxwell_dg::testing {

/// The exit code, and an error line on stderr that holds the text; nothing on stdout.
inline void expect_error(const Outcome& outcome, int exit_code, const std::string& text) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const std::size_t at = outcome.err.find(text);
  ASSERT_NE(at, std::string::npos) << "expected: " << text << "\nsaid: " << outcome.err;
  const std::size_t line = outcome.err.rfind('\n', at) + 1;  // npos + 1 is the beginning
  EXPECT_EQ(outcome.err.compare(line, 7, "error: "), 0) << outcome.err;
}

}  // namespace maxwell_dg::testing
