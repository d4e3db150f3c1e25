#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

/// Tests of what ends a process, or its device: such a test skips unless it runs in a child process, and a second test
/// starts that process.
namespace maxwell_dg::child_process {

/// The folder that both processes know; none in a process that is no child.
inline std::optional<std::filesystem::path> folder() {
  const char* folder = std::getenv("MAXWELL_DG_TEST_CHILD");
  if (folder == nullptr) return std::nullopt;
  return folder;
}

struct End {
  int status{};  ///< of std::system
  std::string log;
};

/// Runs one test of this program in a process of its own and waits for it.
inline End run(const std::string& test, const std::filesystem::path& folder = ::testing::TempDir()) {
  const std::filesystem::path log = folder / ("child_" + std::to_string(getpid()) + ".log");
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "MAXWELL_DG_TEST_CHILD='" + folder.string() + "' '" + program + "' --gtest_filter='" +
                              test + "' >'" + log.string() + "' 2>&1";
  End end{.status = std::system(command.c_str()), .log = {}};
  std::ifstream file(log);
  end.log.assign(std::istreambuf_iterator<char>(file), {});
  std::filesystem::remove(log);
  return end;
}

/// The child finds what it expects and ends in order; a skipped test is no success.
inline void expect_passes(const std::string& test, const std::filesystem::path& folder = ::testing::TempDir()) {
  const End end = run(test, folder);
  EXPECT_EQ(end.status, 0) << end.log;
  EXPECT_NE(end.log.find("[       OK ] " + test + " "), std::string::npos) << end.log;
}

}  // namespace maxwell_dg::child_process
