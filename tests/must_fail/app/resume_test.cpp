#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// The cavity, run once with checkpoints.
class BadResume : public ::testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome = run_cavity(directory_.path(), with_checkpoints());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  static Arguments with_checkpoints(const Arguments& more = {}) {
    Arguments arguments{"--set", "checkpoint={steps: 10}"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  Outcome resume(Arguments more = {}) {
    more.emplace_back("--resume");
    return run_cavity(directory_.path(), with_checkpoints(more));
  }
  const TemporaryDirectory directory_;
};

TEST_F(BadResume, of_another_config_says_what_differs_and_leaves_the_files_alone) {
  const std::string summary = content_of(directory_ / "out/summary.json");
  const std::string probes = content_of(directory_ / "out/probes.csv");
  const Outcome outcome = resume({"--set", "materials.0.epsilon_r=2", "--set", "boundaries.0.type=pmc"});
  expect_error(outcome, 2, "checkpoint_000020.h5: is of another config: ");
  expect_error(outcome, 2, "boundaries.0.type is pmc, it was pec; materials.0.epsilon_r is 2, it was 1; resume with");
  expect_error(resume({"--set", "outputs.probes.0.at=[0, 0, -0.2]"}), 2, "outputs.probes.0.at.2 is -0.2, it was -0.1");
  EXPECT_EQ(content_of(directory_ / "out/summary.json"), summary);
  EXPECT_EQ(content_of(directory_ / "out/probes.csv"), probes);
}

TEST_F(BadResume, of_another_mesh_says_what_differs) {
  expect_error(
      resume({"--set", "mesh.box.cells=[2, 2, 2]"}), 2,
      "checkpoint_000020.h5: is of another mesh: that one has 24 elements and 18 vertices, this one 48 and 27");
  expect_error(resume({"--set", "mesh.box.max=[1, 1, 0.5]"}), 2,
               "this one as many, but other coordinates, connections or names; resume with what it was made with");
}

TEST_F(BadResume, beyond_the_end_names_both_times) {
  expect_error(resume({"--set", "time.end=1"}), 2, "time: the run ends at 1, but ");
  expect_error(resume({"--set", "time.end=1"}), 2, "checkpoint_000020.h5 is of a later time, 2; give a later end");
}

TEST_F(BadResume, without_the_rows_that_were_written_before) {
  fs::resize_file(directory_ / "out/probes.csv", 100);
  expect_error(resume(), 6, "probes.csv: holds 100 bytes, but ");
}

TEST_F(BadResume, is_for_runs_alone) {
  expect_error(resume({"--check"}), 2, "error: --resume is for runs alone");
}

TEST(Checkpoint, keys_that_make_no_sense) {
  const TemporaryDirectory directory;
  const auto run = [&](const std::string& checkpoint) {
    return run_cavity(directory.path(), {"--set", "checkpoint=" + checkpoint});
  };
  expect_error(run("{keep: 2}"), 2, "checkpoint: ");
  expect_error(run("{every: 10 min, steps: 5}"), 2, "checkpoint: ");
  expect_error(run("{every: 0}"), 2, "checkpoint.every: found '0'; allowed: a time above 0");
  expect_error(run("{every: 10 m}"), 2, "checkpoint.every: '10 m' is a length; allowed: a time");
  expect_error(run("{steps: 0}"), 2, "checkpoint.steps: found '0'; allowed: an integer of at least 1");
  expect_error(run("{steps: 5, keep: 0}"), 2, "checkpoint.keep: found '0'");
}

TEST_F(BadResume, on_a_disk_that_fills_is_an_output_error_and_damages_no_checkpoint) {
  fs::create_symlink("/dev/full", directory_ / "out/checkpoint_000030.h5");
  expect_error(resume({"--set", "time.end=20"}), 6, "cannot write: No space left on device");
  EXPECT_TRUE(content_of(directory_ / "out/probes.csv").ends_with('\n'));
  fs::remove(directory_ / "out/checkpoint_000030.h5");
  const Outcome resumed = resume({"--set", "time.end=20"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("resumed from " + (directory_ / "out/checkpoint_000020.h5").string()), std::string::npos)
      << resumed.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
