#include "core/directory_lock.hpp"

#include <chrono>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& directory) {
  try {
    const DirectoryLock lock(directory, std::chrono::milliseconds{0});
    return "";
  } catch (const OutputError& error) {
    return error.what();
  }
}

TEST(DirectoryLock, has_one_owner_at_a_time_who_is_named) {
  const TemporaryDirectory directory;
  std::optional<DirectoryLock> lock(std::in_place, directory.path());
  const std::string message = directory.path().string() + ": another run, PID " + std::to_string(getpid()) +
                              ", writes to this directory; wait for it, or choose another one";
  EXPECT_EQ(refusal(directory.path()), message);
  EXPECT_EQ(refusal(directory.path()), message) << "who was refused has left the lock alone";
  lock.reset();
  EXPECT_TRUE(fs::is_empty(directory.path())) << "nothing is left";
  EXPECT_EQ(refusal(directory.path()), "");
}

TEST(DirectoryLock, of_another_host_names_it) {
  const TemporaryDirectory directory;
  const DirectoryLock lock(directory.path());
  std::ofstream(directory / ".lock") << "PID 12 on node-of-another-room\n";
  EXPECT_NE(refusal(directory.path()).find("another run, PID 12 on node-of-another-room, writes"), std::string::npos);
}

TEST(DirectoryLock, dies_with_its_process_whatever_that_leaves) {
  const TemporaryDirectory directory;
  const pid_t child = fork();
  if (child == 0) {
    const DirectoryLock lock(directory.path());
    _exit(0);  // without running the destructor
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::exists(directory / ".lock"));
  EXPECT_EQ(refusal(directory.path()), "");
}

TEST(DirectoryLock, waits_for_a_process_that_is_about_to_end) {
  const TemporaryDirectory directory;
  const pid_t child = fork();
  if (child == 0) {
    const DirectoryLock lock(directory.path());
    std::ofstream(directory / "locked") << "x";
    ::usleep(300'000);
    _exit(0);
  }
  while (!fs::exists(directory / "locked")) ::usleep(1000);
  EXPECT_NO_THROW(DirectoryLock(directory.path(), std::chrono::minutes{1}));
  waitpid(child, nullptr, 0);
}

TEST(DirectoryLock, where_nothing_can_be_written_is_an_output_error) {
  EXPECT_EQ(refusal("/proc/self"),
            "/proc/self: cannot be the output directory: /proc/self/.lock: No such file or "
            "directory");
  const TemporaryDirectory directory;
  fs::create_symlink(directory / "elsewhere", directory / ".lock");
  EXPECT_NE(refusal(directory.path()), "") << "a planted link is not followed";
  EXPECT_FALSE(fs::exists(directory / "elsewhere"));
}

}  // namespace
}  // namespace maxwell_dg
