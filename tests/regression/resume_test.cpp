#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dg/observe/checkpoint_file.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

/// The cavity with a checkpoint every ten steps.
class ResumeTest : public ::testing::Test {
 protected:
  Outcome run(const std::string& folder, const Arguments& more = {}) const {
    Arguments arguments{"--output", (directory_ / folder).string(), "--set", "checkpoint={steps: 10}"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_cavity(directory_.path(), arguments);
  }
  void expect_done(const Outcome& outcome) const { ASSERT_EQ(outcome.exit_code, 0) << outcome.err; }
  [[nodiscard]] std::string output(const std::string& folder, const std::string& file) const {
    return content_of(directory_ / (folder + "/" + file));
  }
  [[nodiscard]] Json summary(const std::string& folder) const { return Json::parse(output(folder, "summary.json")); }
  /// All that a run leaves but its log and summary is the same to the byte.
  void expect_same(const std::string& one, const std::string& other) const {
    for (const auto& entry : fs::directory_iterator(directory_ / one)) {
      const std::string name = entry.path().filename().string();
      if (name == "run.log" || name == "summary.json" || name == "config.resolved.yaml") continue;
      EXPECT_TRUE(output(one, name) == output(other, name)) << name;
    }
    EXPECT_EQ(summary(one)["error"], summary(other)["error"]);
    EXPECT_EQ(summary(one)["energy"], summary(other)["energy"]);
    EXPECT_EQ(summary(one)["steps"], summary(other)["steps"]);
  }
  const TemporaryDirectory directory_;
};

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(ResumeTest, a_run_that_is_killed_again_and_again_ends_with_the_same_answer) {
  // Dispersion, for unknowns beside the fields.
  Arguments longer{"--set", "time.end=20", "--set",
                   "materials.0.dispersion=[{model: debye, delta_epsilon: 0.5, tau: 0.3}]"};
  longer = with(longer, with_fields());
  longer = with(longer, {"--set", "outputs.frequency_fields={frequencies: [0.3, 0.5]}"});
  expect_done(run("whole", longer));
  std::mt19937 random(11);
  int killed = 0;
  for (int i = 0; i < 4; ++i) {
    const auto there = dg::checkpoints_in(directory_ / "killed");
    const long from = there.empty() ? 0 : there.back().step;
    Program program(with({(directory_ / "cavity.yaml").string(), "--output", (directory_ / "killed").string(), "--set",
                          "checkpoint={steps: 10}", "--resume"},
                         longer),
                    directory_.path());
    // Some time after the next checkpoint or the one after that, maybe while another is written.
    const long wanted = from + 10 * (1 + static_cast<long>(random() % 2));
    for (int wait = 0; wait < 10000; ++wait) {
      const auto now = dg::checkpoints_in(directory_ / "killed");
      if (!now.empty() && now.back().step >= wanted) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
    program.send(SIGKILL);
    if (program.wait().exit_code == 128 + SIGKILL) ++killed;
  }
  EXPECT_GE(killed, 2) << "the run was too short for this test";
  expect_done(run("killed", with(longer, {"--resume"})));
  expect_same("whole", "killed");
  EXPECT_GT(summary("killed")["resumed_from_step"], 10);
  for (const auto& entry : fs::directory_iterator(directory_ / "killed")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".tmp")) << entry.path();
  }
}

TEST_F(ResumeTest, an_interrupted_run_leaves_a_checkpoint_of_its_last_step) {
  expect_done(run("whole", {"--set", "time.end=40", "--set", "outputs.energy={every: 1, balance: true}"}));
  Program program(
      {(directory_ / "cavity.yaml").string(), "--output", (directory_ / "out").string(), "--set", "time.end=40",
       "--set", "outputs.energy={every: 1, balance: true}", "--set", "checkpoint={every: 1 h}"},
      directory_.path());
  for (int wait = 0; wait < 10000 && output("out", "energy.csv").size() < 100; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  program.send(SIGTERM);
  const Outcome outcome = program.wait();
  ASSERT_EQ(outcome.exit_code, 143) << outcome.err;
  const auto left = dg::checkpoints_in(directory_ / "out");
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left.front().step, summary("out")["steps"].get<long>());
  EXPECT_LT(left.front().step, summary("whole")["steps"].get<long>());
  expect_done(run("out", {"--set", "time.end=40", "--set", "outputs.energy={every: 1, balance: true}", "--resume"}));
  for (const char* file : {"probes.csv", "energy.csv", "balance.csv"})
    EXPECT_TRUE(output("whole", file) == output("out", file)) << file;
  EXPECT_NE(output("out", "run.log").find("interrupted: "), std::string::npos) << "the log goes on";
}

TEST_F(ResumeTest, damaged_checkpoints_are_skipped_with_a_warning) {
  expect_done(run("whole"));
  expect_done(run("out"));
  const auto files = dg::checkpoints_in(directory_ / "out");
  ASSERT_EQ(files.size(), 2u);
  fs::resize_file(files.back().path, fs::file_size(files.back().path) - 100);
  const Outcome outcome = run("out", {"--resume"});
  expect_done(outcome);
  EXPECT_NE(outcome.err.find("warning: " + files.back().path.string() + ": skipped, it is damaged"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(summary("out")["resumed_from_step"], files.front().step);
  EXPECT_EQ(summary("out")["warnings"].size(), 1u);
  expect_same("whole", "out");
}

TEST_F(ResumeTest, running_fourier_sums_need_the_same_steps) {
  const Arguments transformed{"--set", "outputs.frequency_fields={frequencies: [0.3]}"};
  expect_done(run("out", transformed));
  const Outcome outcome = run("out", with(transformed, {"--resume", "--set", "time.end=3"}));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(
      outcome.err.find("error: the checkpoint's running Fourier sums 'frequency_fields' were made with other time "
                       "steps; resume with the same order, cfl, integrator and end of time"),
      std::string::npos)
      << outcome.err;
}

TEST_F(ResumeTest, without_a_checkpoint_the_run_begins_anew_and_says_so) {
  const Outcome outcome = run("out", {"--resume"});
  expect_done(outcome);
  EXPECT_NE(
      outcome.err.find("no checkpoint in " + (directory_ / "out").string() + " to resume from: the run begins anew"),
      std::string::npos)
      << outcome.err;
  EXPECT_FALSE(summary("out").contains("resumed_from_step"));
}

TEST_F(ResumeTest, a_later_end_continues_a_run_that_was_complete) {
  const Arguments to_four{"--set", "time.end=4"};
  expect_done(run("whole", to_four));
  expect_done(run("out"));
  const Outcome outcome = run("out", with(to_four, {"--resume"}));
  expect_done(outcome);
  EXPECT_EQ(summary("out")["time_end"], 4);
  // The steps are of another length, so the results are close, not the same.
  EXPECT_NEAR(summary("out")["error"]["E"]["l2"].get<double>() / summary("whole")["error"]["E"]["l2"].get<double>(), 1,
              0.02);
  const std::string probes = output("out", "probes.csv");
  EXPECT_EQ(std::count(probes.begin(), probes.end(), '\n'), summary("out")["steps"].get<long>() + 2);
}

TEST_F(ResumeTest, another_precision_and_another_order_go_on_from_the_same_fields) {
  const Arguments to_four{"--set", "time.end=4"};
  const auto l2 = [&](const std::string& folder) { return summary(folder)["error"]["E"]["l2"].get<double>(); };
  expect_done(run("coarse", to_four));
  expect_done(run("fine", with(to_four, {"--set", "solver.order=3"})));
  for (const auto& [name, assignment] :
       {std::pair{"single", "solver.precision=single"}, std::pair{"order", "solver.order=3"}}) {
    expect_done(run(name));
    expect_done(run(name, with(to_four, {"--resume", "--set", assignment})));
  }
  EXPECT_NEAR(l2("single") / l2("coarse"), 1, 0.02);
  EXPECT_NE(l2("single"), l2("coarse"));
  EXPECT_LT(l2("order"), l2("coarse")) << "half of the way was finer";
  EXPECT_GT(l2("order"), l2("fine"));
  EXPECT_EQ(summary("order")["order"], 3);
}

}  // namespace
}  // namespace maxwell_dg::testing
