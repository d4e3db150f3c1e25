#include <chrono>
#include <csignal>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

const Arguments without_outputs{"--set", "outputs.probes=null", "--set", "outputs.energy=null"};
const std::set<std::string> of_every_run{"config.resolved.yaml", "run.log", "summary.json"};

class OutputDirectoryTest : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& content = "of an earlier run") const {
    fs::create_directory(directory_ / "out");
    write_file_atomically(directory_ / ("out/" + name), content);
  }
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_ / "out")) names.insert(entry.path().filename().string());
    return names;
  }
  [[nodiscard]] std::string output(const std::string& name) const { return content_of(directory_ / ("out/" + name)); }
  const TemporaryDirectory directory_;
};

/// The names in the first column of the guide's table of output files.
std::set<std::string> documented_files() {
  std::istringstream guide(content_of(MAXWELL_DG_SOURCE_DIR "/docs/user_guide.md"));
  std::set<std::string> names;
  std::string line;
  while (std::getline(guide, line) && line.find("Files in `outputs.directory`") == std::string::npos) {
  }
  while (std::getline(guide, line) && !line.starts_with('#')) {
    if (!line.starts_with("| `")) continue;
    std::istringstream cell(line.substr(2, line.find('|', 2) - 2));
    std::string between, name;
    while (std::getline(cell, between, '`') && std::getline(cell, name, '`')) names.insert(name);
  }
  return names;
}

TEST_F(OutputDirectoryTest, holds_nothing_of_an_earlier_run_beside_the_summary_of_this_one) {
  const std::set<std::string> documented = documented_files();
  ASSERT_GT(documented.size(), 10U) << "the guide's table of files was not found";
  for (const std::string& name : documented) put(name);
  for (const char* name : {"fields_000123.vtu", "frequency_fields_017.vtu", "s_parameters.s12p", "diverged.vtu",
                           "checkpoint_1234567.h5"}) {
    put(name);
  }
  const std::set<std::string> foreign{"notes.txt",    "fields_x.vtu",    "my_probes.csv", "probes.csv.bak",
                                      "fields_1.vti", "s_parameters.sp", "checkpoint_.h5"};
  for (const std::string& name : foreign) put(name);
  const Outcome outcome = run_cavity(directory_.path(), without_outputs);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::set<std::string> expected = foreign;
  expected.insert(of_every_run.begin(), of_every_run.end());
  EXPECT_EQ(files(), expected);
  EXPECT_NE(outcome.err.find("removed results of an earlier run from " + (directory_ / "out").string() +
                             ": checkpoint_*.h5 (2), fields.pvd, fields_*.vtu (2), surface_fields.pvd, "),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run_cavity(directory_.path(), without_outputs).err.find("removed"), std::string::npos)
      << "there was nothing to remove";
}

TEST_F(OutputDirectoryTest, holds_nothing_of_an_earlier_run_beside_one_that_diverges) {
  for (const char* name :
       {"config.resolved.yaml", "rcs.csv", "s_parameters.s2p", "resonances.csv", "frequency_fields_000.vtu"}) {
    put(name);
  }
  ASSERT_EQ(run_cavity(directory_.path(), {"--set", "solver.cfl=10", "--set", "time.end=400"}).exit_code, 5);
  std::set<std::string> expected = of_every_run;
  expected.insert({"probes.csv", "energy.csv", "diverged.vtu"});
  EXPECT_EQ(files(), expected);
}

TEST_F(OutputDirectoryTest, keeps_its_results_but_no_summary_where_a_run_cannot_begin) {
  ASSERT_EQ(run_cavity(directory_.path(), {"--set", "checkpoint={steps: 10}"}).exit_code, 0);
  std::set<std::string> before = files();
  const std::string probes = output("probes.csv"), config = output("config.resolved.yaml");
  EXPECT_EQ(run_cavity(directory_.path(), {"--device", "opencl:99"}).exit_code, 4);
  EXPECT_EQ(run_cavity(directory_.path(), {"--set", "outputs.probes.0.at=[9, 9, 9]"}).exit_code, 2);
  before.erase("summary.json");
  EXPECT_EQ(files(), before);
  EXPECT_EQ(output("probes.csv"), probes);
  EXPECT_EQ(output("config.resolved.yaml"), config);
}

TEST_F(OutputDirectoryTest, holds_no_pictures_of_an_earlier_run_but_those_of_others) {
  put("config.resolved.yaml");
  fs::create_directory(directory_ / "out/plots");
  for (const char* name : {"plots/probes.png", "plots/probes.svg", "plots/mine.png", "plots/drawing.svg"}) put(name);
  const Outcome outcome = run_cavity(directory_.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(": plots (2)\n"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(directory_ / "out/plots/probes.png"));
  EXPECT_FALSE(fs::exists(directory_ / "out/plots/probes.svg"));
  EXPECT_TRUE(fs::exists(directory_ / "out/plots/mine.png"));
  EXPECT_TRUE(fs::exists(directory_ / "out/plots/drawing.svg"));
}

TEST_F(OutputDirectoryTest, keeps_files_that_no_run_has_left_whatever_their_names) {
  put("rcs.csv", "measured");
  const Outcome outcome = run_cavity(directory_.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(output("rcs.csv"), "measured");
  EXPECT_NE(outcome.err.find("out: holds files with names of results, but no config.resolved.yaml of a run that wrote "
                             "them; they stay, unless this run writes them: rcs.csv\n"),
            std::string::npos)
      << outcome.err;
}

TEST_F(OutputDirectoryTest, is_left_alone_by_a_check) {
  put("probes.csv");
  put("summary.json");
  ASSERT_EQ(run_cavity(directory_.path(), {"--check"}).exit_code, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"probes.csv", "summary.json"}));
  EXPECT_EQ(output("summary.json"), "of an earlier run");
}

TEST_F(OutputDirectoryTest, may_hold_links_which_stay_and_are_followed) {
  put("unused");
  for (const char* name : {"probes.csv", "fields.pvd", "config.resolved.yaml"}) {
    write_file_atomically(directory_ / name, "of an earlier run");
    fs::create_symlink(directory_ / name, directory_ / ("out/" + std::string(name)));
  }
  fs::create_symlink(directory_ / "not_yet.csv", directory_ / "out/energy.csv");
  const Outcome outcome = run_cavity(directory_.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* name : {"probes.csv", "fields.pvd", "config.resolved.yaml", "energy.csv"}) {
    EXPECT_TRUE(fs::is_symlink(directory_ / ("out/" + std::string(name)))) << name;
  }
  EXPECT_TRUE(content_of(directory_ / "probes.csv").starts_with("time,p1.Ex"));
  EXPECT_TRUE(content_of(directory_ / "not_yet.csv").starts_with("time,electric"));
  EXPECT_TRUE(content_of(directory_ / "config.resolved.yaml").starts_with("# run "));
  EXPECT_FALSE(fs::exists(directory_ / "fields.pvd")) << "this run writes none";
}

TEST_F(OutputDirectoryTest, belongs_to_one_run_at_a_time) {
  write_file_atomically(directory_ / "cavity.yaml", cavity_config());
  Program first(
      {(directory_ / "cavity.yaml").string(), "--output", (directory_ / "out").string(), "--set", "time.end=1e6"},
      directory_.path());
  for (int wait = 0; wait < 10000 && output("energy.csv").size() < 100; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const std::string pid = std::to_string(first.pid());
  const std::string log = output("run.log");
  for (const char* more : {"--quiet", "--resume"}) {
    expect_error(run_cavity(directory_.path(), {more}), 6,
                 (directory_ / "out").string() + ": another run, PID " + pid + ", writes to this directory; ");
  }
  EXPECT_EQ(run_cavity(directory_.path(), {"--check"}).exit_code, 0) << "which writes nothing";
  EXPECT_TRUE(output("run.log").starts_with(log)) << "nothing of the first run is touched";
  first.send(SIGKILL);
  EXPECT_EQ(first.wait().exit_code, 128 + SIGKILL);
  const Outcome after = run_cavity(directory_.path());
  EXPECT_EQ(after.exit_code, 0) << "the lock goes with its owner: " << after.err;
  EXPECT_FALSE(files().contains(".lock"));
}

TEST_F(OutputDirectoryTest, that_cannot_be_written_is_an_output_error_that_removes_nothing) {
  put("probes.csv");
  fs::permissions(directory_ / "out", fs::perms::owner_read | fs::perms::owner_exec);
  const Outcome outcome = run_cavity(directory_.path(), {}, {.obeys_permissions = true});
  fs::permissions(directory_ / "out", fs::perms::owner_all);
  expect_error(outcome, 6, "out: cannot be the output directory: ");
  EXPECT_EQ(files(), (std::set<std::string>{"probes.csv"}));
}

}  // namespace
}  // namespace maxwell_dg::testing
