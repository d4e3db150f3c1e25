#include "core/own_file.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

class OwnFile : public testing::Test {
 protected:
  OwnFile() {
    std::string pattern = (fs::temp_directory_path() / "own_file_test_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    file_ = root_ / "file";
    std::ofstream(root_ / "other") << "other";
  }
  ~OwnFile() override { fs::remove_all(root_); }

  /// It is neither read nor waited for, gives way, and what it stands for stays.
  void expect_replaced() {
    EXPECT_EQ(read_own_file(file_), std::nullopt);
    make_way_for_own_file(file_);
    EXPECT_FALSE(fs::exists(fs::symlink_status(file_)));
    EXPECT_EQ(read_own_file(root_ / "other"), "other");
  }

  fs::path root_, file_;
};

TEST_F(OwnFile, is_read_and_stays) {
  std::ofstream(file_) << "content";
  EXPECT_TRUE(is_own_file(file_));
  make_way_for_own_file(file_);
  EXPECT_EQ(read_own_file(file_), "content");
}

TEST_F(OwnFile, may_be_absent) {
  EXPECT_FALSE(is_own_file(file_));
  EXPECT_EQ(read_own_file(file_), std::nullopt);
  make_way_for_own_file(file_);
}

TEST_F(OwnFile, is_no_link) {
  fs::create_symlink(root_ / "other", file_);
  EXPECT_FALSE(is_own_file(file_));
  expect_replaced();
}

TEST_F(OwnFile, is_no_pipe) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  expect_replaced();
}

TEST_F(OwnFile, is_no_folder_and_links_in_one_are_not_followed) {
  fs::create_directory(file_);
  fs::create_directory_symlink(root_, file_ / "link");
  expect_replaced();
}

TEST_F(OwnFile, of_two_names_is_read_but_not_written) {
  fs::create_hard_link(root_ / "other", file_);
  EXPECT_EQ(read_own_file(file_), "other");
  make_way_for_own_file(file_);
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_EQ(read_own_file(root_ / "other"), "other");
}

TEST_F(OwnFile, is_no_other_users_file) {
  std::ofstream(file_) << "planted";
  if (chown(file_.c_str(), 65534, 65534) != 0) GTEST_SKIP() << "only root can give files away";
  expect_replaced();
}

}  // namespace
}  // namespace maxwell_dg
