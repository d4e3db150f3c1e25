#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "dg/variants/variants.hpp"
#include "rtcg/tune/ceilings.hpp"
#include "rtcg/tune/wisdom.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/support/test_device.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The programs with a wisdom of their own that holds nothing but ceilings of the device, which take seconds to
/// measure.
class TuningProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(directory_ / "cache");  // compiled kernels are those of all tests
    fs::create_directory_symlink(rtcg::default_cache_directory() / "kernels", directory_ / "cache/kernels");
    rtcg::keep_ceilings(test_device(), {.copy_gb_s = 100, .fma_gflops_single = 100, .fma_gflops_double = 100},
                        wisdom());
  }
  [[nodiscard]] fs::path wisdom() const { return directory_ / "cache/wisdom"; }
  [[nodiscard]] Conditions conditions(const std::string& program = "maxwell_dg") const {
    return {.environment = {{"MAXWELL_DG_CACHE", (directory_ / "cache").string()}}, .program = program};
  }
  Outcome cavity(std::vector<std::string> more) { return run_cavity(directory_.path(), std::move(more), conditions()); }
  std::string variant() {
    return Json::parse(content_of(directory_ / "out/summary.json"))["kernel_variant"].get<std::string>();
  }
  static std::vector<rtcg::WisdomEntry> entries_in(const fs::path& folder) {
    return rtcg::parse_wisdom(content_of(rtcg::Wisdom(folder).file_of(test_device().info().name)));
  }
  const TemporaryDirectory directory_;
};

TEST_F(TuningProgram, tune_prints_what_was_tried_and_keeps_the_answer_which_runs_then_take) {
  const Outcome tuned = cavity({"--tune", "--set", "solver.tuning_seconds=0.01"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_NE(tuned.out.find("maxwell, order 2, float64, 24 elements, on " + test_device().info().name),
            std::string::npos)
      << tuned.out;
  EXPECT_NE(tuned.out.find("\n  GDOF/s  sustained  roofline  registers  variant\n"), std::string::npos) << tuned.out;
  EXPECT_FALSE(fs::exists(directory_ / "out/summary.json")) << "nothing is run";
  ASSERT_EQ(entries_in(wisdom()).size(), 1U);

  // An answer that nobody would choose by chance shows that it is taken.
  rtcg::WisdomEntry entry = entries_in(wisdom()).front();
  const bool on_cpu = test_device().info().is_cpu;
  entry.configuration = on_cpu
                            ? rtcg::Configuration{{"slicing", "lanes"}, {"lanes", 4}, {"nodes", 7}, {"parts", "apart"}}
                            : dg::configuration_of(dg::Schedule::named("nodes_pad4_v8_s8_nodemap"));
  rtcg::Wisdom(wisdom()).store(entry);
  ASSERT_EQ(cavity({}).exit_code, 0);
  EXPECT_EQ(variant(), on_cpu ? "lanes4_n7_apart" : "nodes_pad4_v8_s8_nodemap");
  EXPECT_NE(
      content_of(directory_ / "out/run.log").find("kernel variant: " + variant() + " (found on this device before)"),
      std::string::npos);

  std::ofstream(rtcg::Wisdom(wisdom()).file_of(test_device().info().name)) << "{\"version\": 1, \"seconds\"";
  ASSERT_EQ(cavity({}).exit_code, 0) << "damaged wisdom is a miss";
  EXPECT_EQ(content_of(directory_ / "out/run.log").find("found on this device before"), std::string::npos);
}

TEST_F(TuningProgram, two_processes_that_tune_the_same_at_once_end_with_one_valid_file) {
  write_file_atomically(directory_ / "cavity.yaml", cavity_config());
  const std::vector<std::string> arguments{(directory_ / "cavity.yaml").string(), "--tune", "--quiet", "--set",
                                           "solver.tuning_seconds=0.01"};
  std::vector<Program> programs;
  for (int i = 0; i < 2; ++i) programs.emplace_back(arguments, directory_.path(), conditions());
  for (Program& program : programs) EXPECT_EQ(program.wait().exit_code, 0);
  EXPECT_EQ(entries_in(wisdom()).size(), 1U);
  std::size_t lines = 0;
  for (const char c : content_of(rtcg::Wisdom(wisdom()).file_of(test_device().info().name))) lines += c == '\n' ? 1 : 0;
  EXPECT_EQ(lines, 1U);
}

TEST_F(TuningProgram, the_benchmark_tunes_many_questions_and_leaves_a_file_that_can_be_shipped) {
  const fs::path folder = directory_ / "found", json = directory_ / "tuning.json";
  const Outcome outcome = run_program({"--orders", "1", "--precision", "single", "--system", "both", "--elements", "6",
                                       "--tune", "0.01", "--wisdom", folder.string(), "--json", json.string()},
                                      directory_.path(), conditions("dg_bench"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(entries_in(folder).size(), 2U);
  EXPECT_TRUE(entries_in(wisdom()).empty()) << "the user's wisdom is left alone";
  const Json found = Json::parse(content_of(json));
  ASSERT_EQ(found["tuning"].size(), 2U);
  for (const Json& question : found["tuning"]) {
    EXPECT_EQ(question["best"], question["candidates"][0]["variant"]);
    EXPECT_GT(question["candidates"][0]["gdof_per_second"], 0);
  }
}

TEST_F(TuningProgram, the_benchmark_tunes_the_stage_of_curved_elements_beside_that_of_straight_ones) {
  const fs::path json = directory_ / "tuning.json", folder = directory_ / "found";
  const Outcome outcome =
      run_program({"--orders", "1", "--precision", "single", "--system", "maxwell", "--elements", "48", "--curved",
                   "50", "--tune", "0.01", "--wisdom", folder.string(), "--json", json.string()},
                  directory_.path(), conditions("dg_bench"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json found = Json::parse(content_of(json));
  ASSERT_EQ(found["tuning"].size(), 1U);
  const std::string best = found["tuning"][0]["best_of_curved"];
  EXPECT_NE(outcome.out.find("the fastest of curved elements: " + best), std::string::npos) << outcome.out;
  const std::string wisdom = content_of(rtcg::Wisdom(folder).file_of(test_device().info().name));
  EXPECT_NE(wisdom.find("curved stage"), std::string::npos) << wisdom;
}

TEST_F(TuningProgram, the_benchmark_reports_what_it_measured) {
  for (const std::string materials : {"random", "uniform"}) {
    const fs::path json = directory_ / (materials + ".json");
    const Outcome outcome = run_program({"--orders", "2-3", "--precision", "both", "--system", "acoustics",
                                         "--elements", "48", "--materials", materials, "--json", json.string()},
                                        directory_.path(), conditions("dg_bench"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json found = Json::parse(content_of(json));
    EXPECT_EQ(found["device"], test_device().info().name);
    const double copy = found["ceilings"]["copy_gb_s"];
    EXPECT_GT(copy, 0);
    ASSERT_EQ(found["results"].size(), 4U);
    for (const Json& r : found["results"]) {
      const bool is_single = r["precision"] == "single";
      EXPECT_EQ(r["system"], "acoustics");
      EXPECT_EQ(r["elements"], 48);
      EXPECT_FALSE(r["variant"].get<std::string>().empty());
      EXPECT_GT(r["max_relative_error"], 0);
      EXPECT_LT(r["max_relative_error"], is_single ? 2e-6 : 1e-13);
      const double Np = r["order"] == 2 ? 10 : 20, seconds = 1e-9 * r["ns_per_element_stage"].get<double>();
      const double bytes = 16 * Np * (is_single ? 4 : 8);  // four numbers a node, of state and register, in and out
      EXPECT_NEAR(r["gdof_per_second"], 4e-9 * Np / seconds, 1e-6 * 4e-9 * Np / seconds);
      EXPECT_NEAR(r["gb_per_second"], 1e-9 * bytes / seconds, 1e-6 * 1e-9 * bytes / seconds);
      EXPECT_NEAR(r["bandwidth_fraction"], 1e-9 * bytes / seconds / copy, 1e-6);
      EXPECT_EQ(r["roofline_fraction"],
                std::max(r["bandwidth_fraction"].get<double>(), r["compute_fraction"].get<double>()));
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
