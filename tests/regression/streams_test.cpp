#include <algorithm>
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// How often a text occurs.
long count_of(const std::string& text, const std::string& in) {
  long count = 0;
  for (std::size_t at = 0; (at = in.find(text, at)) != std::string::npos; at += text.size()) ++count;
  return count;
}

/// Files of numbers hold numbers, and the log every line once.
void expect_clean_files(const TemporaryDirectory& directory) {
  EXPECT_FALSE(dg::read_csv(directory / "out/energy.csv").column("total").empty());  // throws where there is more
  EXPECT_FALSE(dg::read_csv(directory / "out/probes.csv").column("p1.Ez").empty());
  const std::string log = content_of(directory / "out/run.log");
  EXPECT_EQ(count_of(" elements of order ", log), 2) << log;  // before the loop, and in the end
  EXPECT_EQ(count_of("kernel variant: ", log), 1) << log;
  EXPECT_NE(content_of(directory / "out/summary.json").find("\"outcome\": \"done\""), std::string::npos);
}

TEST(Streams, that_are_closed_lend_their_descriptors_to_no_file) {
  for (const std::vector<int>& closed : {std::vector{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO},
                                         std::vector{STDERR_FILENO}, std::vector{STDOUT_FILENO, STDERR_FILENO}}) {
    const TemporaryDirectory directory;
    EXPECT_EQ(run_cavity(directory.path(), {}, {.closed = closed}).exit_code, 0);
    expect_clean_files(directory);
  }
}

TEST(Streams, whose_reader_is_gone_end_no_run) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(directory.path(), {}, {.without_reader = {STDOUT_FILENO, STDERR_FILENO}});
  EXPECT_EQ(outcome.exit_code, 0);
  expect_clean_files(directory);
}

TEST(Streams, to_which_the_text_that_was_asked_for_cannot_go_are_an_output_error) {
  const TemporaryDirectory directory;
  for (const char* program : {"maxwell_dg", "dg_bench"}) {
    for (const Conditions& conditions : {Conditions{.closed = {STDOUT_FILENO}, .program = program},
                                         Conditions{.without_reader = {STDOUT_FILENO}, .program = program}}) {
      const Outcome outcome = run_program({"--help"}, directory.path(), conditions);
      EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
      EXPECT_NE(outcome.err.find("error: cannot write to standard output"), std::string::npos) << outcome.err;
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
