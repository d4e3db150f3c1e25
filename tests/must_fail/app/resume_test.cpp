#include <map>

#include "core/atomic_file.hpp"
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

TEST_F(BadResume, of_a_finished_run_that_was_done_otherwise) {
  const std::string summary = content_of(directory_ / "out/summary.json");
  for (const char* different : {"solver.order is 3, it was 2", "solver.precision is single, it was double",
                                "solver.integrator is lsrk144, it was lsrk54", "solver.cfl is 0.5, it was 1",
                                "outputs.energy.every is 2, it was 5", "outputs.fields.count is 3, it was not there"}) {
    const std::string text = different;
    const std::string key = text.substr(0, text.find(' '));
    const std::string value = text.substr(key.size() + 4, text.find(',') - key.size() - 4);
    expect_error(resume({"--set", key + "=" + value}), 2,
                 "checkpoint_000020.h5: is the end of a run that was done otherwise: " + text);
  }
  EXPECT_EQ(content_of(directory_ / "out/summary.json"), summary);
}

/// Results of the cavity in a directory without a checkpoint: --resume changes nothing of them.
class ResumeWithoutCheckpoint : public ::testing::Test {
 protected:
  Outcome run(const Arguments& more = {}) { return run_cavity(directory_.path(), more); }
  void expect_refused(Arguments more, const std::string& there, const std::string& why) {
    const auto before = contents();
    more.emplace_back("--resume");
    expect_error(run(more), 2,
                 (directory_ / "out").string() + ": holds results of an earlier run (" + there +
                     ") but no checkpoint to resume from: " + why +
                     "; run without --resume to begin anew, which removes them, or take another --output\n");
    EXPECT_EQ(contents(), before) << why;
  }
  [[nodiscard]] std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(directory_ / "out")) {
      if (entry.path().filename() != "run.log") all[entry.path().filename().string()] = content_of(entry.path());
    }
    return all;
  }
  const TemporaryDirectory directory_;
};

TEST_F(ResumeWithoutCheckpoint, of_another_config_or_mesh) {
  ASSERT_EQ(run().exit_code, 0);
  expect_refused({"--set", "solver.order=3"}, "probes.csv, energy.csv",
                 "they are of another config: solver.order is 3, it was 2");
  expect_refused({"--set", "time.end=4"}, "probes.csv, energy.csv",
                 "they are of another config: time.end is 4, it was 2");
  expect_refused(
      {"--set", "outputs.energy=null"}, "probes.csv, energy.csv",
      "they are of another config: outputs.energy.balance is not there, it was false; outputs.energy.every is "
      "not there, it was 5");
  expect_refused({"--set", "mesh.box.max=[1, 1, 0.5]"}, "probes.csv, energy.csv", "they are of another mesh");
}

TEST_F(ResumeWithoutCheckpoint, of_a_run_that_did_not_reach_its_end) {
  ASSERT_EQ(run({"--set", "solver.cfl=10", "--set", "time.end=400"}).exit_code, 5);
  expect_refused({"--set", "solver.cfl=10", "--set", "time.end=400"}, "probes.csv, energy.csv, diverged.vtu",
                 "the run has the outcome \"diverged\", and its config had no `checkpoint`");
  fs::remove(directory_ / "out/summary.json");
  expect_refused({"--set", "solver.cfl=10", "--set", "time.end=400"}, "probes.csv, energy.csv, diverged.vtu",
                 "the run was broken off, and its config had no `checkpoint`");
}

TEST_F(ResumeWithoutCheckpoint, that_was_removed_or_damaged) {
  ASSERT_EQ(run({"--set", "checkpoint={steps: 10, keep: 1}"}).exit_code, 0);
  const fs::path checkpoint = directory_ / "out/checkpoint_000020.h5";
  fs::resize_file(checkpoint, 100);
  expect_refused({"--set", "time.end=4"}, "checkpoint_*.h5 (1), probes.csv, energy.csv",
                 "none of its checkpoints can be read");
  fs::remove(checkpoint);
  expect_refused({"--set", "time.end=4"}, "probes.csv, energy.csv",
                 "they are of another config: time.end is 4, it was 2");
  std::string summary = content_of(directory_ / "out/summary.json");
  summary.replace(summary.find("done"), 4, "interrupted");
  write_file_atomically(directory_ / "out/summary.json", summary);
  expect_refused({}, "probes.csv, energy.csv", "the run has the outcome \"interrupted\", and it left no checkpoint");
}

TEST_F(ResumeWithoutCheckpoint, of_nobody_knows_which_run) {
  fs::create_directory(directory_ / "out");
  write_file_atomically(directory_ / "out/probes.csv", "measured");
  expect_refused({}, "probes.csv", "no config.resolved.yaml says which run they are of");
  write_file_atomically(directory_ / "out/config.resolved.yaml", "# run 1\nsolvr: {}\n");
  expect_refused({}, "probes.csv", "they are of a config.resolved.yaml that this program cannot read");
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
