// --kernels DIR: what is written is what a run compiles.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/variants/kernel_listing.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

class KernelsTest : public ::testing::Test {
 protected:
  [[nodiscard]] Conditions conditions(const char* program = "maxwell_dg") const {
    return {.environment = {{"MAXWELL_DG_CACHE", (directory_ / "cache").string()}}, .program = program};
  }
  /// The names of the kernel texts in the cache.
  [[nodiscard]] std::multiset<std::string> compiled() const {
    std::multiset<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(directory_ / "cache/kernels")) {
      if (!entry.is_regular_file()) continue;
      const std::string text = content_of(entry.path());
      std::smatch found;
      if (std::regex_search(text, found, std::regex("made for (\\S+\\.kernel) on "))) names.insert(found[1]);
    }
    return names;
  }
  [[nodiscard]] std::set<std::string> listed(const fs::path& folder) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".kernel") names.insert(entry.path().filename());
    }
    return names;
  }
  /// What the kernel texts in a folder are called by who asks for them.
  [[nodiscard]] std::multiset<std::string> asked_for(const fs::path& folder) const {
    std::multiset<std::string> names;
    for (const std::string& name : listed(folder)) {
      const std::string text = content_of(folder / name);
      names.insert(text.substr(4, text.find('\n') - 4));  // "//@ NAME"
    }
    return names;
  }
  const TemporaryDirectory directory_;
};

TEST_F(KernelsTest, are_all_that_the_run_compiles_and_nothing_is_compiled_or_run) {
  const fs::path folder = directory_ / "kernels";
  const std::vector<std::string> outputs{"--set", "outputs.energy={every: 5, balance: true}", "--set",
                                         "outputs.frequency_fields={frequencies: [0.3], quantities: [E]}"};
  std::vector<std::string> arguments = outputs;
  arguments.insert(arguments.end(), {"--kernels", folder.string()});
  const Outcome outcome = run_cavity(directory_.path(), arguments, conditions());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(directory_ / "out")) << "no run, no results";
  EXPECT_TRUE(!fs::exists(directory_ / "cache/kernels") || compiled().empty());
  ASSERT_EQ(run_cavity(directory_.path(), outputs, conditions()).exit_code, 0);
  EXPECT_EQ(asked_for(folder), compiled());
  EXPECT_EQ(asked_for(folder).count("nodal_values_N2.kernel"), 2U) << "of the initial fields and of the reference";
  EXPECT_EQ(content_of(folder / "kernels.txt"), outcome.out);
  for (const std::string& name : listed(folder)) {
    EXPECT_NE(outcome.out.find(name + ": "), std::string::npos);
  }
  EXPECT_NE(content_of(folder / "dialect.h").find("GROUP_ID"), std::string::npos);
}

TEST_F(KernelsTest, take_the_place_of_those_that_were_written_there_before) {
  const fs::path folder = directory_ / "kernels";
  ASSERT_EQ(run_cavity(directory_.path(), {"--kernels", folder.string()}).exit_code, 0);
  const std::set<std::string> before = listed(folder);
  ASSERT_EQ(run_cavity(directory_.path(), {"--kernels", folder.string(), "--set", "solver.order=3"}).exit_code, 0);
  for (const std::string& name : listed(folder)) EXPECT_FALSE(before.contains(name)) << name;
}

TEST_F(KernelsTest, of_the_benchmark_are_those_of_each_question) {
  const fs::path folder = directory_ / "kernels";
  const Outcome outcome =
      run_program({"--orders", "2-3", "--precision", "single", "--elements", "48", "--kernels", folder.string()},
                  directory_.path(), conditions("dg_bench"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::set<std::string> names = listed(folder);
  for (const char* begin : {"stage_maxwell_N2_float32_", "stage_maxwell_N3_float32_", "energy_maxwell_N2_float32_"}) {
    EXPECT_TRUE(std::ranges::any_of(names, [&](const std::string& name) { return name.starts_with(begin); })) << begin;
  }
}

/// The blocks of code in docs/annotated_kernel.md, in their order.
std::vector<std::string> blocks_of_chapter() {
  const std::string chapter = content_of(MAXWELL_DG_SOURCE_DIR "/docs/annotated_kernel.md");
  static const std::regex block("```c\n([^`]*)```");
  std::vector<std::string> blocks;
  for (std::sregex_iterator i(chapter.begin(), chapter.end(), block), end; i != end; ++i) blocks.push_back((*i)[1]);
  return blocks;
}

// What the chapter shows is printed by the command that it names.
TEST_F(KernelsTest, in_the_chapter_of_an_annotated_kernel_are_those_that_the_program_prints) {
  const fs::path folder = directory_ / "kernels";
  const Outcome outcome = run_program({"--variants", "nodes_pad1_v4_s4", "--orders", "1", "--precision", "single",
                                       "--elements", "48", "--kernels", folder.string()},
                                      directory_.path(), conditions("dg_bench"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string text = dg::text_in_listing(content_of(folder / "stage_maxwell_N1_float32_nodes_pad1_v4_s4.kernel"));
  const std::vector<std::string> blocks = blocks_of_chapter();
  ASSERT_GE(blocks.size(), 8U);
  for (const std::string& block : blocks) {
    EXPECT_NE(text.find("\n" + block), std::string::npos) << "the program does not print this:\n" << block;
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
