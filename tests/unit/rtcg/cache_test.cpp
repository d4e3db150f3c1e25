#include "rtcg/compile/cache.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg::rtcg {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr uid_t nobody = 65534;

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string key_of(int i) {
  return sha256_hex("key " + std::to_string(i));
}

class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    std::string pattern = (fs::temp_directory_path() / "cache_test_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    directory_ = root_ / "kernels";
  }
  ~CacheTest() override { fs::remove_all(root_); }

  [[nodiscard]] fs::path entry(int i) const { return directory_ / (key_of(i) + ".kernel"); }

  // One look-up; how often the content had to be made is counted.
  KernelCache::Outcome look_up(KernelCache& cache, int i, std::string_view content = "content") {
    return cache.get(key_of(i), "test", [&] {
      ++made_;
      return bytes_of(content);
    });
  }

  // Runs in a process of its own, as user `nobody` where we are root; true when `action` returned true.
  static bool in_child(auto&& action, bool as_nobody = false) {
    const pid_t child = fork();
    if (child == 0) {
      if (as_nobody && setresuid(nobody, nobody, nobody) != 0) _exit(3);
      bool good = false;
      try {
        good = action();
      } catch (...) {
        good = false;
      }
      _exit(good ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  static std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write_text(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }

  fs::path root_;
  fs::path directory_;
  std::atomic<int> made_ = 0;
};

TEST_F(CacheTest, second_look_up_is_a_hit_with_the_same_bytes) {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += static_cast<char>(i);
  KernelCache cache(directory_);
  const auto first = look_up(cache, 1, content);
  EXPECT_FALSE(first.hit);
  KernelCache later(directory_);
  const auto second = look_up(later, 1, "something else");
  EXPECT_TRUE(second.hit);
  EXPECT_EQ(second.bytes, bytes_of(content));
  EXPECT_EQ(made_, 1);
  EXPECT_FALSE(look_up(later, 2).hit);
}

TEST_F(CacheTest, empty_content_is_kept_too) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1, "");
  EXPECT_TRUE(look_up(cache, 1).hit);
}

TEST_F(CacheTest, an_entry_says_what_it_is) {
  KernelCache cache(directory_);
  cache.store(key_of(1), "volume.kernel for\nsm_90", bytes_of("content"));
  const std::string text = read_text(entry(1));
  EXPECT_TRUE(text.starts_with("maxwell_dg kernel, format 1\nkey " + key_of(1) +
                               "\nmade for volume.kernel for sm_90\nbytes 7\nsha256 "));
  EXPECT_TRUE(text.ends_with("\n\ncontent"));
}

TEST_F(CacheTest, directory_and_entries_are_ours_alone) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1);
  struct stat status {};
  ASSERT_EQ(stat(directory_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_EQ(status.st_uid, geteuid());
}

TEST_F(CacheTest, a_directory_open_to_others_is_closed) {
  fs::create_directories(directory_);
  fs::permissions(directory_, fs::perms::all);
  KernelCache cache(directory_);
  EXPECT_EQ(fs::status(directory_).permissions(), fs::perms::owner_all);
  (void)look_up(cache, 1);
  EXPECT_TRUE(look_up(cache, 1).hit);
}

TEST_F(CacheTest, corrupt_cache_entry_is_a_miss) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1);
  const std::string good = read_text(entry(1));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    write_text(entry(1), bad);
    ASSERT_FALSE(cache.find(key_of(1))) << "byte " << at;
  }
  EXPECT_FALSE(look_up(cache, 1).hit);
  EXPECT_TRUE(look_up(cache, 1).hit);  // the entry was made whole again
}

TEST_F(CacheTest, truncated_or_grown_cache_entry_is_a_miss) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1);
  const std::string good = read_text(entry(1));
  for (std::size_t length = 0; length < good.size(); ++length) {
    write_text(entry(1), good.substr(0, length));
    ASSERT_FALSE(cache.find(key_of(1))) << "length " << length;
  }
  write_text(entry(1), good + "x");
  EXPECT_FALSE(cache.find(key_of(1)));
}

TEST_F(CacheTest, an_entry_under_another_key_is_a_miss) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1);
  fs::copy_file(entry(1), entry(2));
  EXPECT_FALSE(cache.find(key_of(2)));
}

TEST_F(CacheTest, an_entry_that_is_no_plain_file_is_a_miss) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1);
  fs::rename(entry(1), root_ / "elsewhere");
  fs::create_symlink(root_ / "elsewhere", entry(1));
  EXPECT_FALSE(cache.find(key_of(1)));
  fs::create_directory(entry(2));
  EXPECT_FALSE(cache.find(key_of(2)));
  ASSERT_EQ(mkfifo(entry(3).c_str(), 0600), 0);
  EXPECT_FALSE(cache.find(key_of(3)));
}

TEST_F(CacheTest, failures_are_not_kept) {
  KernelCache cache(directory_);
  const auto fail = [&] { (void)cache.get(key_of(1), "test", []() -> Bytes { throw std::runtime_error("failed"); }); };
  EXPECT_THROW(fail(), std::runtime_error);
  EXPECT_EQ(cache.size().entries, 0u);
  EXPECT_FALSE(look_up(cache, 1).hit);
  EXPECT_TRUE(look_up(cache, 1).hit);
}

TEST_F(CacheTest, the_entries_used_longest_ago_go_first) {
  KernelCache cache(directory_, {.capacity_bytes = 3500});
  const std::string kilobyte(900, 'x');
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 3; ++i) {
    (void)look_up(cache, i, kilobyte);
    fs::last_write_time(entry(i), now - std::chrono::hours(10 - i));
  }
  EXPECT_TRUE(look_up(cache, 0).hit);  // used just now: entry 1 is the oldest
  (void)look_up(cache, 3, kilobyte);
  EXPECT_TRUE(fs::exists(entry(0)));
  EXPECT_FALSE(fs::exists(entry(1)));
  EXPECT_TRUE(fs::exists(entry(2)));
  EXPECT_TRUE(fs::exists(entry(3)));
  EXPECT_LE(cache.size().bytes, 3500u);
}

TEST_F(CacheTest, what_killed_writers_left_goes_after_an_hour) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1);
  const fs::path old_left = directory_ / ".tmp-0-old.kernel";
  const fs::path new_left = directory_ / ".tmp-1-new.kernel";
  write_text(old_left, "x");
  write_text(new_left, "x");
  fs::last_write_time(old_left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  (void)look_up(cache, 2);
  EXPECT_FALSE(fs::exists(old_left));
  EXPECT_TRUE(fs::exists(new_left));
  EXPECT_EQ(cache.size().entries, 2u);
}

TEST_F(CacheTest, entries_are_listed_with_what_they_were_made_for) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1);
  (void)look_up(cache, 2, "longer content");
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(2);
  fs::last_write_time(entry(2), old);
  const auto entries = cache.entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].key, key_of(2));  // the one unused longest
  EXPECT_EQ(entries[0].bytes, fs::file_size(entry(2)));
  EXPECT_EQ(entries[1].description, "test");
}

TEST_F(CacheTest, pruning_removes_what_was_not_used_for_long_and_says_how_much) {
  KernelCache cache(directory_);
  for (int i = 0; i < 3; ++i) (void)look_up(cache, i);
  fs::last_write_time(entry(1), fs::file_time_type::clock::now() - std::chrono::hours(2));
  const auto removed = cache.prune({.unused_seconds = 3600});
  EXPECT_EQ(removed.entries, 1u);
  EXPECT_GT(removed.bytes, 0u);
  EXPECT_FALSE(fs::exists(entry(1)));
  EXPECT_EQ(cache.prune({.unused_seconds = 3600}).entries, 0u);
  EXPECT_EQ(cache.prune({.capacity_bytes = 0}).entries, 2u);
}

TEST_F(CacheTest, statistics_count_what_this_process_did) {
  KernelCache cache(directory_);
  (void)look_up(cache, 1);
  (void)look_up(cache, 1);
  (void)cache.prune({.capacity_bytes = 0});
  const auto statistics = cache.statistics();
  EXPECT_EQ(statistics.misses, 1u);
  EXPECT_EQ(statistics.hits, 1u);
  EXPECT_EQ(statistics.stored, 1u);
  EXPECT_EQ(statistics.evicted, 1u);
}

TEST_F(CacheTest, clear_removes_everything_and_nothing_else) {
  KernelCache cache(directory_);
  for (int i = 0; i < 3; ++i) (void)look_up(cache, i);
  EXPECT_EQ(cache.size().entries, 3u);
  EXPECT_GT(cache.size().bytes, 3 * 7u);
  write_text(directory_ / "notes.txt", "of the user");
  cache.clear();
  EXPECT_EQ(cache.size().entries, 0u);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), {}), 1);
  EXPECT_TRUE(fs::exists(directory_ / "notes.txt"));
  EXPECT_FALSE(look_up(cache, 1).hit);
  KernelCache(root_ / "never created").clear();
}

TEST_F(CacheTest, an_unusable_directory_is_one_warning_and_no_cache) {
  write_text(directory_, "a file where the directory should be");
  const WarningCollector warnings;
  KernelCache cache(directory_);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(look_up(cache, 1).hit);
  EXPECT_EQ(made_, 3);
  ASSERT_EQ(warnings.warnings().size(), 1u);
  EXPECT_EQ(warnings.warnings()[0],
            "kernel cache " + directory_.string() +
                ": is not a directory; kernels are compiled anew; set MAXWELL_DG_CACHE to a directory of your own");
}

TEST_F(CacheTest, a_read_only_directory_still_serves_hits_with_one_warning) {
  {
    KernelCache cache(directory_);
    (void)look_up(cache, 1);
  }
  const bool root = geteuid() == 0;
  fs::permissions(root_, fs::perms::all);
  if (root) {
    for (const auto& file : fs::directory_iterator(directory_))
      ASSERT_EQ(chown(file.path().c_str(), nobody, nobody), 0);
    ASSERT_EQ(chown(directory_.c_str(), nobody, nobody), 0);
  }
  fs::permissions(directory_, fs::perms::owner_read | fs::perms::owner_exec);
  const auto action = [&] {
    const WarningCollector warnings;
    KernelCache cache(directory_);
    const bool hit = look_up(cache, 1).hit && warnings.warnings().empty();
    const bool miss = !look_up(cache, 2).hit && !look_up(cache, 2).hit && !look_up(cache, 3).hit;
    return hit && miss && warnings.warnings().size() == 1 &&
           warnings.warnings()[0].ends_with("Permission denied; kernels compiled now are not kept");
  };
  EXPECT_TRUE(in_child(action, root));
  fs::permissions(directory_, fs::perms::owner_all);
}

TEST_F(CacheTest, a_directory_that_cannot_be_made_is_one_warning_and_no_cache) {
  fs::permissions(root_, fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  const auto action = [&] {
    const WarningCollector warnings;
    KernelCache cache(directory_);
    for (int i = 0; i < 3; ++i) {
      if (look_up(cache, 1).hit) return false;
    }
    return warnings.warnings().size() == 1 && warnings.warnings()[0].find("Permission denied") != std::string::npos;
  };
  if (geteuid() != 0) fs::permissions(root_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_TRUE(in_child(action, geteuid() == 0));
  fs::permissions(root_, fs::perms::owner_all);
}

TEST_F(CacheTest, entries_and_directories_of_other_owners_are_not_trusted) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to give files away";
  {
    KernelCache cache(directory_);
    (void)look_up(cache, 1);
    ASSERT_EQ(chown(entry(1).c_str(), nobody, nobody), 0);
    EXPECT_FALSE(cache.find(key_of(1)));
  }
  ASSERT_EQ(chown(directory_.c_str(), nobody, nobody), 0);
  const WarningCollector warnings;
  KernelCache cache(directory_);
  EXPECT_FALSE(look_up(cache, 2).hit);
  EXPECT_FALSE(look_up(cache, 2).hit);
  ASSERT_EQ(warnings.warnings().size(), 1u);
  EXPECT_NE(warnings.warnings()[0].find("belongs to another user"), std::string::npos);
}

TEST_F(CacheTest, threads_that_want_the_same_make_it_once) {
  KernelCache cache(directory_);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        (void)cache.get(key_of(1), "test", [&] {
          ++made_;
          std::this_thread::sleep_for(std::chrono::milliseconds(30));
          return bytes_of("content");
        });
      });
    }
  }
  EXPECT_EQ(made_, 1);
}

TEST_F(CacheTest, eight_processes_hammering_get_only_right_bytes) {
  std::vector<pid_t> children;
  for (int process = 0; process < 8; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      bool good = true;
      const WarningCollector warnings;
      // So small that eviction races with everything; two processes also clear and damage entries.
      KernelCache cache(directory_, {.capacity_bytes = 40000});
      for (int round = 0; round < 60; ++round) {
        const int i = (round * 7 + process) % 20;
        const Bytes expected = bytes_of(std::string(3000, static_cast<char>('a' + i)));
        good &= cache.get(key_of(i), "test", [&] { return expected; }).bytes == expected;
        if (process == 0 && round % 10 == 0) {
          try {
            cache.clear();
          } catch (const OutputError&) {  // another process took the file first
          }
        }
        if (process == 1) write_text(entry(i), "damaged");
      }
      _exit(good && warnings.warnings().empty() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  for (const auto& file : fs::directory_iterator(directory_)) {
    EXPECT_FALSE(file.path().filename().string().starts_with(".tmp-")) << file.path();
  }
}

TEST_F(CacheTest, processes_that_want_the_same_make_it_once) {
  std::vector<pid_t> children;
  const fs::path count = root_ / "count";
  for (int process = 0; process < 8; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      KernelCache cache(directory_);
      (void)cache.get(key_of(1), "test", [&] {
        std::ofstream(count, std::ios::app) << "made\n";
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return bytes_of("content");
      });
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  EXPECT_EQ(read_text(count), "made\n");
}

TEST_F(CacheTest, a_lock_dies_with_its_owner) {
  const fs::path started = root_ / "started";
  const pid_t child = fork();
  if (child == 0) {
    KernelCache cache(directory_);
    (void)cache.get(key_of(1), "test", [&]() -> Bytes {
      write_text(started, "x");
      while (true) pause();
    });
    _exit(0);
  }
  while (!fs::exists(started)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  KernelCache cache(directory_, {.lock_timeout_seconds = 1e9});
  std::jthread killer([child] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  });
  EXPECT_FALSE(look_up(cache, 1).hit);
  EXPECT_EQ(made_, 1);
  EXPECT_TRUE(look_up(cache, 1).hit);
}

TEST_F(CacheTest, an_owner_that_never_ends_is_waited_for_only_so_long) {
  KernelCache cache(directory_, {.lock_timeout_seconds = 0.05});
  (void)look_up(cache, 1);
  fs::remove(entry(1));
  const int held = open((directory_ / (key_of(1).substr(0, 2) + ".lock")).c_str(), O_RDWR);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  EXPECT_FALSE(look_up(cache, 1).hit);
  close(held);
}

class DefaultCacheDirectory : public testing::Test {
 protected:
  void TearDown() override {
    for (const auto& [name, value] : saved_) setenv(name.c_str(), value.c_str(), 1);
  }
  void set(const std::string& name, const char* value) {
    if (const char* old = std::getenv(name.c_str())) saved_.emplace_back(name, old);
    value != nullptr ? setenv(name.c_str(), value, 1) : unsetenv(name.c_str());
  }
  std::vector<std::pair<std::string, std::string>> saved_;
};

TEST_F(DefaultCacheDirectory, the_more_special_variable_wins) {
  set("HOME", "/home/someone");
  set("XDG_CACHE_HOME", "/xdg");
  set("MAXWELL_DG_CACHE", "/own");
  EXPECT_EQ(default_cache_directory(), "/own");
  unsetenv("MAXWELL_DG_CACHE");
  EXPECT_EQ(default_cache_directory(), "/xdg/maxwell_dg");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(default_cache_directory(), "/home/someone/.cache/maxwell_dg");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(default_cache_directory(), "/home/someone/.cache/maxwell_dg");
}

}  // namespace
}  // namespace maxwell_dg::rtcg
