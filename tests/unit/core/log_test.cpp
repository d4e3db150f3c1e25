#include "core/log.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/in_parallel.hpp"

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

std::string stderr_of(auto&& action) {
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStderr();
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Log, every_line_of_an_error_is_marked) {
  EXPECT_EQ(stderr_of([] { log_error("a.yaml:1:2: first\na.yaml:3:4: second"); }),
            "error: a.yaml:1:2: first\nerror: a.yaml:3:4: second\n");
}

TEST(Log, warnings_are_marked_and_information_is_plain) {
  EXPECT_EQ(stderr_of([] {
              log_warning("careful");
              log_info("100 % of {braces} stay");
            }),
            "warning: careful\n100 % of {braces} stay\n");
}

TEST(Log, standard_output_stays_clean) {
  testing::internal::CaptureStdout();
  stderr_of([] {
    log_info("information");
    log_error("error");
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Log, quiet_silences_information_only) {
  set_log_level(LogLevel::warning);
  const std::string said = stderr_of([] {
    log_info("hidden");
    log_warning("seen");
    log_error("seen too");
  });
  set_log_level(LogLevel::info);
  EXPECT_EQ(said, "warning: seen\nerror: seen too\n");
}

TEST(Log, a_log_file_gets_everything_while_it_lives) {
  const fs::path path = fs::path(testing::TempDir()) / "log_test_run.log";
  set_log_level(LogLevel::error);
  stderr_of([&] {
    log_info("before");
    {
      const LogFile file(path);
      log_info("during");
      log_warning("careful");
    }
    log_info("after");
    {
      const LogFile file(path, LogFile::Mode::append);
      log_info("again");
    }
  });
  set_log_level(LogLevel::info);
  const std::string content = content_of(path);
  fs::remove(path);
  EXPECT_EQ(content.find("before"), std::string::npos);
  EXPECT_NE(content.find("  during\n"), std::string::npos);
  EXPECT_NE(content.find("  warning: careful\n"), std::string::npos);
  EXPECT_EQ(content.find("after"), std::string::npos);
  EXPECT_NE(content.find("  again\n"), std::string::npos);
}

TEST(Log, a_log_file_is_utf_8_whatever_is_said) {
  const fs::path path = fs::path(testing::TempDir()) / "log_test_utf8.log";
  stderr_of([&] {
    const LogFile file(path);
    log_warning("region R\xe4ume");
  });
  const std::string content = content_of(path);
  fs::remove(path);
  EXPECT_NE(content.find("  warning: region R\xef\xbf\xbdume\n"), std::string::npos) << content;
}

TEST(Log, a_log_file_that_cannot_be_opened_is_an_output_error) {
  try {
    const LogFile file("/missing_directory/run.log");
    FAIL() << "opened";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "/missing_directory/run.log: cannot open the log file: No such file or directory");
  }
}

TEST(Log, a_full_disk_is_said_once_and_stops_nothing) {
  const std::string said = stderr_of([] {
    const LogFile file("/dev/full");
    log_info("one");
    log_info("two");
  });
  EXPECT_EQ(said, "one\nwarning: /dev/full: cannot write the log: No space left on device\ntwo\n");
}

TEST(Log, a_full_disk_is_among_the_collected_warnings) {
  stderr_of([] {
    const WarningCollector collector;
    const LogFile file("/dev/full");
    log_info("one");
    EXPECT_EQ(collector.warnings(),
              std::vector<std::string>{"/dev/full: cannot write the log: No space left on device"});
  });
}

TEST(Log, warnings_are_collected_without_their_mark) {
  stderr_of([] {
    log_warning("too early");
    const WarningCollector collector;
    log_warning("first\nof two lines");
    log_info("no warning");
    log_warning("second");
    EXPECT_EQ(collector.warnings(), (std::vector<std::string>{"first\nof two lines", "second"}));
  });
}

TEST(LogScope, what_its_thread_says_goes_to_its_sink_alone) {
  std::vector<std::string> heard;
  const std::string said = stderr_of([&] {
    {
      const LogScope scope([&](LogLevel level, std::string_view message) {
        heard.push_back(std::to_string(static_cast<int>(level)) + " " + std::string(message));
      });
      log_info("one");
      log_warning("two");
      log_error("three");
      std::thread([] { log_info("of another thread"); }).join();
    }
    log_info("after");
  });
  EXPECT_EQ(heard, (std::vector<std::string>{"0 one", "1 two", "2 three"}));
  EXPECT_EQ(said, "of another thread\nafter\n");
}

TEST(LogScope, what_a_sink_says_goes_to_the_scope_around_it) {
  std::string heard;
  const std::string said = stderr_of([&] {
    const LogScope outer([&](LogLevel level, std::string_view message) {
      heard += "outer " + std::string(message) + "\n";
      log_message(level, message);
    });
    const LogScope inner([&](LogLevel level, std::string_view message) {
      heard += "inner " + std::string(message) + "\n";
      log_message(level, message);
    });
    log_warning("careful");
  });
  EXPECT_EQ(heard, "inner careful\nouter careful\n");
  EXPECT_EQ(said, "warning: careful\n");
}

TEST(LogScope, threads_that_help_its_owner_say_it_there_one_at_a_time) {
  std::vector<std::string> heard;
  const LogScope scope([&](LogLevel, std::string_view message) { heard.emplace_back(message); });
  for_each_in_parallel(100, [](std::size_t i) { log_info(std::to_string(i)); });
  EXPECT_EQ(std::set<std::string>(heard.begin(), heard.end()).size(), 100u);
}

}  // namespace
}  // namespace maxwell_dg
