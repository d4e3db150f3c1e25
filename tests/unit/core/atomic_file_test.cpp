#include "core/atomic_file.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() {
    std::string pattern = (fs::temp_directory_path() / "atomic_file_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~AtomicFileTest() override { fs::remove_all(directory_); }

  static std::string content_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), {}));
  }
  static std::string error_of(auto&& action) {
    try {
      action();
    } catch (const OutputError& error) {
      EXPECT_EQ(error.code(), ExitCode::output);
      return error.what();
    }
    return "no error";
  }

  fs::path directory_;
};

TEST_F(AtomicFileTest, committed_content_replaces_the_old) {
  const fs::path path = directory_ / "a.txt";
  write_file_atomically(path, "old");
  write_file_atomically(path, "new");
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, what_killed_programs_left_is_removed_and_nothing_else) {
  std::ofstream(directory_ / "fields.pvd") << "whole";
  for (const char* target : {"fields.pvd", "checkpoint_7.h5"}) {
    AtomicFile left(directory_ / target);
    left.stream() << "half";
    left.stream().flush();
    fs::copy_file(left.temporary_path(), directory_ / "kept");  // as it is when the program is killed
    const fs::path name = left.temporary_path();
    left.commit();
    fs::rename(directory_ / "kept", name);
  }
  EXPECT_EQ(files(), 4u);
  remove_abandoned_files(directory_, "checkpoint_");
  EXPECT_EQ(files(), 3u);
  remove_abandoned_files(directory_);
  EXPECT_EQ(files(), 2u);
  EXPECT_EQ(content_of(directory_ / "checkpoint_7.h5"), "half");
  remove_abandoned_files(directory_ / "not_there");
}

TEST_F(AtomicFileTest, what_somebody_is_writing_is_not_abandoned) {
  std::array<int, 2> begun{}, go_on{};
  ASSERT_EQ(pipe(begun.data()), 0);
  ASSERT_EQ(pipe(go_on.data()), 0);
  char word = 'x';
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(directory_ / "fields.pvd");
    file.stream() << "half" << std::flush;
    if (write(begun[1], &word, 1) != 1 || read(go_on[0], &word, 1) != 1) _exit(2);
    file.stream() << " and half";
    try {
      file.commit();
    } catch (const OutputError&) {
      _exit(1);
    }
    _exit(0);
  }
  ASSERT_EQ(read(begun[0], &word, 1), 1);
  EXPECT_EQ(files(), 1U);
  remove_abandoned_files(directory_);
  EXPECT_EQ(files(), 1U);
  ASSERT_EQ(write(go_on[1], &word, 1), 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content_of(directory_ / "fields.pvd"), "half and half");
  for (const int descriptor : {begun[0], begun[1], go_on[0], go_on[1]}) close(descriptor);
}

TEST_F(AtomicFileTest, a_link_that_leads_to_nothing_yet_is_followed) {
  fs::create_symlink("target", directory_ / "link");
  write_file_atomically(directory_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_EQ(content_of(directory_ / "target"), "new");
}

TEST_F(AtomicFileTest, without_commit_the_old_file_stays_and_no_temporary_is_left) {
  const fs::path path = directory_ / "a.txt";
  write_file_atomically(path, "old");
  {
    AtomicFile file(path);
    file.stream() << std::string(1 << 20, 'x') << std::flush;
    EXPECT_EQ(files(), 2u);
    EXPECT_EQ(content_of(path), "old");
  }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, a_library_may_write_by_name) {
  const fs::path path = directory_ / "a.h5";
  AtomicFile file(path);
  EXPECT_EQ(file.temporary_path().extension(), ".h5");
  EXPECT_EQ(file.temporary_path().parent_path(), directory_);
  std::ofstream(file.temporary_path(), std::ios::trunc) << "by name";
  file.commit();
  EXPECT_EQ(content_of(path), "by name");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, large_streams_arrive_whole) {
  const fs::path path = directory_ / "large";
  std::string expected;
  AtomicFile file(path);
  for (int i = 0; i < 60000; ++i) {
    file.stream() << i << ' ';
    expected += std::to_string(i) + ' ';
  }
  file.commit();
  EXPECT_EQ(content_of(path), expected);
}

TEST_F(AtomicFileTest, a_full_device_says_so_and_survives) {
  const std::string what = error_of([] { write_file_atomically("/dev/full", "content"); });
  EXPECT_EQ(what, "/dev/full: cannot write: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, a_full_disk_leaves_the_old_file_as_it_was) {
  if (mount("tmpfs", directory_.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "needs the right to mount a small tmpfs";
  }
  const fs::path path = directory_ / "a.txt";
  write_file_atomically(path, "old");
  const std::string what = error_of([&] { write_file_atomically(path, std::string(1 << 20, 'x')); });
  const std::string kept = content_of(path);
  const std::size_t left = files();
  umount(directory_.c_str());
  EXPECT_EQ(what, path.string() + ": cannot write: No space left on device");
  EXPECT_EQ(kept, "old");
  EXPECT_EQ(left, 1u);
}

TEST_F(AtomicFileTest, a_missing_directory_is_named) {
  const fs::path path = directory_ / "missing" / "a.txt";
  EXPECT_EQ(error_of([&] { write_file_atomically(path, "x"); }),
            path.string() + ": cannot write: No such file or directory");
}

TEST_F(AtomicFileTest, a_directory_is_no_target) {
  EXPECT_EQ(error_of([&] { write_file_atomically(directory_, "x"); }),
            directory_.string() + ": cannot write: Is a directory");
}

TEST_F(AtomicFileTest, a_symbolic_link_stays_a_link) {
  write_file_atomically(directory_ / "target", "old");
  fs::create_symlink("target", directory_ / "link");
  write_file_atomically(directory_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_EQ(content_of(directory_ / "target"), "new");
}

TEST_F(AtomicFileTest, a_name_without_directory_is_in_the_current_one) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  write_file_atomically("plain", "x");
  fs::current_path(before);
  EXPECT_EQ(content_of(directory_ / "plain"), "x");
}

TEST_F(AtomicFileTest, many_writers_at_once_leave_one_whole_file) {
  const fs::path path = directory_ / "shared";
  {
    std::vector<std::jthread> writers;
    for (char c : {'a', 'b', 'c', 'd'}) {
      writers.emplace_back([&path, c] {
        for (int i = 0; i < 20; ++i) write_file_atomically(path, std::string(100000, c));
      });
    }
  }
  const std::string content = content_of(path);
  EXPECT_EQ(content, std::string(100000, content.at(0)));
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace maxwell_dg
