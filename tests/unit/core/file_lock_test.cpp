#include "core/file_lock.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

class FileLockTest : public testing::Test {
 protected:
  FileLockTest() {
    std::string pattern = (fs::temp_directory_path() / "lock_test_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~FileLockTest() override { fs::remove_all(root_); }

  fs::path root_;
};

TEST_F(FileLockTest, a_second_owner_waits_only_so_long) {
  auto first = FileLock::acquire(root_ / "lock", 0);
  ASSERT_TRUE(first);
  EXPECT_FALSE(FileLock::acquire(root_ / "lock", 0.01));
  first.reset();
  EXPECT_TRUE(FileLock::acquire(root_ / "lock", 0));
}

TEST_F(FileLockTest, a_lock_dies_with_its_process) {
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = FileLock::acquire(root_ / "lock", 0);
    _exit(lock ? 0 : 1);  // without running the destructor
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(FileLock::acquire(root_ / "lock", 0));
}

TEST_F(FileLockTest, without_a_directory_there_is_no_lock) {
  EXPECT_FALSE(FileLock::acquire(root_ / "missing" / "lock", 1));
}

}  // namespace
}  // namespace maxwell_dg
