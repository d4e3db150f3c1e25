#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// dg_bench as mpirun starts it.
namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

class BenchOnRanks : public ::testing::Test {
 protected:
  [[nodiscard]] Outcome run(int ranks, const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{"-n",
                                   std::to_string(ranks),
                                   (fs::path(program_path()).parent_path() / "dg_bench").string(),
                                   "--orders",
                                   "1",
                                   "--precision",
                                   "double",
                                   "--system",
                                   "acoustics"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_program(words, directory_.path(), {.program = MAXWELL_DG_MPIEXEC});
  }
  const TemporaryDirectory directory_;
};

TEST_F(BenchOnRanks, divides_a_box_and_the_first_rank_reports_the_slowest_one) {
  const fs::path file = directory_ / "found.json";
  const Outcome outcome =
      run(3, {"--elements", "384", "--variants", "nodes_pad1_v3_s2,elements_e32_r1", "--json", file.string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto found = nlohmann::json::parse(content_of(file))["on_ranks"];
  ASSERT_EQ(found.size(), 2U);
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = outcome.out.find("\nacoustics double", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, 2U) << "one for each variant, of all ranks together\n" << outcome.out;
  for (const auto& answer : found) {
    EXPECT_EQ(answer["ranks"], 3);
    EXPECT_EQ(answer["elements"], 384);
    const double most = answer["most_elements_a_rank"], us = answer["us_per_stage"];
    EXPECT_GE(most, 128);
    EXPECT_LT(most, 140);
    EXPECT_GT(us, 0);
    EXPECT_NEAR(answer["ns_per_element_stage"], 1e3 * us / most, 1e-9 * us);
    EXPECT_NEAR(answer["gdof_per_second"], 384 * 4 * 4 / us / 1e3, 1e-9 / us) << "four fields at four nodes";
    EXPECT_EQ(answer["transport"], "MPI");
    EXPECT_LT(answer["max_relative_error"], 1e-13);
  }
  EXPECT_EQ(found[0]["variant"], "nodes_pad1_v3_s2");
}

TEST_F(BenchOnRanks, has_a_box_that_grows_with_the_ranks) {
  const fs::path file = directory_ / "found.json";
  const Outcome outcome = run(2, {"--elements-a-rank", "24", "--json", file.string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(content_of(file))["on_ranks"][0]["elements"], 48);
}

/// What several are compared with.
TEST_F(BenchOnRanks, measures_one_rank_as_it_does_several) {
  const fs::path file = directory_ / "found.json";
  const Outcome outcome = run(1, {"--elements-a-rank", "48", "--json", file.string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto found = nlohmann::json::parse(content_of(file))["on_ranks"];
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]["ranks"], 1);
  EXPECT_EQ(found[0]["most_elements_a_rank"], 48);
  EXPECT_EQ(found[0]["transport"], "none");
  EXPECT_LT(found[0]["max_relative_error"], 1e-13);
}

TEST_F(BenchOnRanks, says_once_what_is_wrong) {
  const auto expect_error = [&](const std::vector<std::string>& arguments, int code, const std::string& error) {
    const Outcome outcome = run(2, arguments);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_EQ(outcome.err.find(error), outcome.err.rfind(error)) << outcome.err;
    EXPECT_NE(outcome.err.find(error), std::string::npos) << outcome.err;
  };
  expect_error({"--tune", "1"}, 2,
               "error: --tune, --turns, --fourier and --kernels are for one rank; start dg_bench without mpirun and "
               "--elements-a-rank\n");
  expect_error({"--elements", "48", "--elements-a-rank", "24"}, 2,
               "error: --elements is the number of all ranks; leave it or --elements-a-rank out\n");
  expect_error({"--elements", "48", "--json", (directory_ / "none/found.json").string()}, 6, "cannot write");
}

}  // namespace
}  // namespace maxwell_dg::testing
