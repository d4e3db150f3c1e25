#include <fstream>
#include <functional>
#include <utility>

#include <sys/stat.h>

#include "core/atomic_file.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
 protected:
  Conditions with_cache() { return {.environment = {{"MAXWELL_DG_CACHE", (directory_ / "cache").string()}}}; }
  Outcome run() { return run_cavity(directory_.path(), {}, with_cache()); }
  std::vector<fs::path> entries() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(directory_ / "cache")) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }
  std::string error_of_run() {
    const std::string summary = content_of(directory_ / "out/summary.json");
    return summary.substr(summary.find("\"error\""));
  }
  const TemporaryDirectory directory_;
};

TEST_F(Cache, corrupt_or_truncated_entries_are_compiled_again) {
  ASSERT_EQ(run().exit_code, 0);
  const std::string expected = error_of_run();
  const std::vector<fs::path> files = entries();
  ASSERT_GE(files.size(), 2u);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (fs::file_size(files[i]) < 100) continue;
    if (i % 2 == 0) {
      fs::resize_file(files[i], fs::file_size(files[i]) / 2);
    } else {
      std::fstream file(files[i], std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(fs::file_size(files[i]) - 50));
      file << "garbage";
    }
  }
  const Outcome outcome = run();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(error_of_run(), expected);
}

/// What may lie under an entry's name; each is made there.
const std::vector<std::pair<const char*, std::function<void(const fs::path&, const fs::path& victim)>>> strangers{
    {"link", [](const fs::path& entry, const fs::path& victim) { fs::create_symlink(victim, entry); }},
    {"hard link", [](const fs::path& entry, const fs::path& victim) { fs::create_hard_link(victim, entry); }},
    {"link to a device", [](const fs::path& entry, const fs::path&) { fs::create_symlink("/dev/full", entry); }},
    {"pipe", [](const fs::path& entry, const fs::path&) { mkfifo(entry.c_str(), 0600); }},
    {"folder", [](const fs::path& entry, const fs::path&) { fs::create_directories(entry / "more"); }}};

TEST_F(Cache, entries_that_are_no_files_of_ours_are_replaced_and_never_followed) {
  ASSERT_EQ(run().exit_code, 0);
  const std::string expected = error_of_run();
  std::vector<fs::path> kernels;
  for (const fs::path& file : entries()) {
    if (file.extension() == ".kernel" || file.extension() == ".lock") kernels.push_back(file);
  }
  ASSERT_GE(kernels.size(), 2u);
  const fs::path victim = directory_ / "victim";
  for (const auto& [kind, make] : strangers) {
    std::ofstream(victim) << "precious";
    for (const fs::path& kernel : kernels) {
      fs::remove(kernel);
      make(kernel, victim);
    }
    const Outcome shown = run_program({"--cache"}, directory_.path(), with_cache());
    EXPECT_EQ(shown.exit_code, 0) << kind << ": " << shown.err;
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_code, 0) << kind << ": " << outcome.err;
    EXPECT_EQ(error_of_run(), expected) << kind;
    EXPECT_EQ(content_of(victim), "precious") << kind;
    for (const fs::path& kernel : kernels) {
      EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(kernel))) << kind << ": " << kernel;
    }
    EXPECT_EQ(run_program({"--cache", "clear"}, directory_.path(), with_cache()).exit_code, 0) << kind;
    ASSERT_EQ(run().exit_code, 0);
  }
}

TEST_F(Cache, that_cannot_be_a_directory_is_one_warning) {
  std::ofstream(directory_ / "cache") << "a file";
  const Outcome outcome = run();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: "), std::string::npos) << outcome.err;
  EXPECT_NE(content_of(directory_ / "out/summary.json").find((directory_ / "cache").string()), std::string::npos)
      << "the warning belongs into the summary, too";
}

TEST_F(Cache, that_is_read_only_is_one_warning) {
  fs::create_directory(directory_ / "cache");
  fs::permissions(directory_ / "cache", fs::perms::owner_read | fs::perms::owner_exec);
  Conditions conditions = with_cache();
  conditions.obeys_permissions = true;
  const Outcome outcome = run_cavity(directory_.path(), {}, conditions);
  fs::permissions(directory_ / "cache", fs::perms::owner_all);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::size_t first = outcome.err.find("warning: ");
  EXPECT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning: ", first + 1), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::is_empty(directory_ / "cache"));
}

TEST_F(Cache, hammered_by_eight_processes_serves_all_of_them) {
  std::vector<Program> programs;
  write_file_atomically(directory_ / "cavity.yaml", cavity_config());
  for (int i = 0; i < 8; ++i) {
    programs.emplace_back(std::vector<std::string>{(directory_ / "cavity.yaml").string(), "--output",
                                                   (directory_ / ("out" + std::to_string(i))).string()},
                          directory_.path(), with_cache());
  }
  std::string expected;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const Outcome outcome = programs[i].wait();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
    const std::string csv = content_of(directory_ / ("out" + std::to_string(i) + "/probes.csv"));
    if (i == 0) expected = csv;
    EXPECT_EQ(csv, expected);
  }
}

TEST_F(Cache, clear_empties_it_wisdom_included_and_says_so) {
  ASSERT_EQ(run().exit_code, 0);
  fs::create_directories(directory_ / "cache/wisdom");
  write_file_atomically(directory_ / "cache/wisdom/ceilings_0123456789abcdef.json", std::string_view("{}"));
  const Outcome before = run_program({"--cache"}, directory_.path(), with_cache());
  EXPECT_NE(before.out.find("cache/wisdom: 1 entry, 2 bytes\n"), std::string::npos) << before.out;
  const Outcome cleared = run_program({"--cache", "clear"}, directory_.path(), with_cache());
  EXPECT_EQ(cleared.exit_code, 0) << cleared.err;
  EXPECT_NE(cleared.out.find("cache/kernels: removed "), std::string::npos) << cleared.out;
  EXPECT_NE(cleared.out.find("cache/wisdom: removed 1 entry"), std::string::npos) << cleared.out;
  const Outcome shown = run_program({"--cache"}, directory_.path(), with_cache());
  EXPECT_NE(shown.out.find("cache/kernels: 0 entries"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("cache/wisdom: 0 entries"), std::string::npos) << shown.out;
  EXPECT_TRUE(entries().empty());
}

}  // namespace
}  // namespace maxwell_dg::testing
