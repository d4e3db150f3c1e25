#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// The cavity for so long that it never ends by itself.
class InterruptTest : public ::testing::Test {
 protected:
  Program start(const Conditions& conditions = {}, const std::string& checkpoint = "{every: 1 h}") {
    write_file_atomically(directory_ / "cavity.yaml", cavity_config());
    Program program({(directory_ / "cavity.yaml").string(), "--output", (directory_ / "out").string(), "--set",
                     "time.end=1e6", "--set", "checkpoint=" + checkpoint},
                    directory_.path(), conditions);
    // Energies are written by the hundred, beneath the line of names that is there before the time loop begins.
    const auto has_begun = [&] {
      const std::string energies = content_of(directory_ / "out/energy.csv");
      return std::count(energies.begin(), energies.end(), '\n') > 1;
    };
    for (int i = 0; i < 600 && !has_begun(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return program;
  }
  Outcome interrupt(int signal) {
    Program program = start();
    program.send(signal);
    return program.wait();
  }
  const TemporaryDirectory directory_;
};

TEST_F(InterruptTest, ends_the_run_with_outputs_closed) {
  const Outcome outcome = interrupt(SIGINT);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("interrupted: "), std::string::npos) << outcome.err;
  const auto summary = nlohmann::json::parse(content_of(directory_ / "out/summary.json"));
  EXPECT_EQ(summary["outcome"], "interrupted");
  const std::string probes = content_of(directory_ / "out/probes.csv");
  EXPECT_EQ(std::count(probes.begin(), probes.end(), '\n'), summary["steps"].get<long>() + 2);  // names and step 0
  EXPECT_TRUE(content_of(directory_ / "out/energy.csv").ends_with('\n'));
}

TEST_F(InterruptTest, every_signal_that_asks_a_program_to_end_has_its_own_exit_code) {
  for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
    EXPECT_EQ(interrupt(signal).exit_code, 128 + signal);
    EXPECT_EQ(nlohmann::json::parse(content_of(directory_ / "out/summary.json"))["outcome"], "interrupted");
    EXPECT_EQ(dg::checkpoints_in(directory_ / "out").size(), 1U);
    std::filesystem::remove_all(directory_ / "out");
  }
}

TEST_F(InterruptTest, says_last_how_to_go_on_or_what_would_have_made_that_possible) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Program without = start({}, "null");
    without.send(signal);
    const std::string said = without.wait().err;
    EXPECT_TRUE(
        said.ends_with("\nit cannot be resumed, for its config has no checkpoints; with `checkpoint: {every: 10 "
                       "min}` it could be\n"))
        << said;
    std::filesystem::remove_all(directory_ / "out");
    const std::string with = interrupt(signal).err;
    EXPECT_TRUE(with.ends_with("\nthe same command with --resume goes on from " +
                               dg::checkpoints_in(directory_ / "out").back().path.string() + "\n"))
        << with;
    std::filesystem::remove_all(directory_ / "out");
  }
}

TEST_F(InterruptTest, a_terminal_that_hangs_up_twice_does_not_cut_the_end_short) {
  Program program = start();
  for (int i = 0; i < 3; ++i) program.send(SIGHUP);
  EXPECT_EQ(program.wait().exit_code, 129);
  EXPECT_EQ(dg::checkpoints_in(directory_ / "out").size(), 1U);
}

TEST_F(InterruptTest, signals_that_were_ignored_stay_so_as_under_nohup) {
  Program program = start({.ignored_signals = {SIGHUP, SIGUSR1}});
  program.send(SIGHUP);
  program.send(SIGUSR1);
  const auto energies = [&] { return content_of(directory_ / "out/energy.csv").size(); };
  const std::size_t before = energies();
  for (int i = 0; i < 600 && energies() == before; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_GT(energies(), before) << "the run goes on";
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().exit_code, 143);
}

TEST_F(InterruptTest, sigint_ends_a_background_job_of_a_script_too) {
  Program program = start({.ignored_signals = {SIGINT}});  // as shells start such jobs
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
}

/// A pipe that stands where the program writes a file: it waits whenever nobody reads.
class OutputPipe {
 public:
  explicit OutputPipe(const std::filesystem::path& path) {
    // For writing, too: then opening waits for nobody, and the size is set before the program comes.
    if (mkfifo(path.c_str(), 0600) == 0) descriptor_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor_ < 0 || fcntl(descriptor_, F_SETPIPE_SZ, capacity) < 0) {
      throw std::runtime_error("cannot make a pipe at " + path.string());
    }
  }
  ~OutputPipe() { close(descriptor_); }
  OutputPipe(const OutputPipe&) = delete;
  OutputPipe& operator=(const OutputPipe&) = delete;

  /// Reads on until `text` has come. False when nothing came for a minute.
  bool read_until(const std::string& text) {
    constexpr int minute = 60'000;
    std::array<char, 256> piece{};
    while (said_.find(text) == std::string::npos) {
      pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
      if (poll(&waiting, 1, minute) != 1) return false;
      const ssize_t size = read(descriptor_, piece.data(), piece.size());
      if (size <= 0) return false;
      said_.append(piece.data(), static_cast<std::size_t>(size));
    }
    return true;
  }

 private:
  static constexpr int capacity = 4096;
  int descriptor_ = -1;
  std::string said_;
};

TEST_F(InterruptTest, after_the_last_step_takes_nothing_from_the_results_and_a_long_run_measures_nothing) {
  // The run takes seconds waiting for its energies to be read: 400 rows are several times what the pipe holds.
  std::filesystem::create_directory(directory_ / "out");
  OutputPipe energies(directory_ / "out/energy.csv");
  write_file_atomically(directory_ / "cavity.yaml", cavity_config());
  Program program({(directory_ / "cavity.yaml").string(), "--output", (directory_ / "out").string(), "--set",
                   "time.end=40", "--set", "outputs.energy.every=1"},
                  directory_.path(), {.environment = {{"MAXWELL_DG_CACHE", (directory_ / "cache").string()}}});
  ASSERT_TRUE(energies.read_until("total\n0,")) << "the loop has begun";
  std::this_thread::sleep_for(std::chrono::milliseconds(5100));
  ASSERT_TRUE(energies.read_until("\n40,")) << "the last step is done";
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  if (outcome.exit_code != 0) {  // else all was written before the signal came
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_NE(outcome.err.find("the signal came after the last step: the results are complete"), std::string::npos)
        << outcome.err;
  }
  const auto summary = nlohmann::json::parse(content_of(directory_ / "out/summary.json"));
  EXPECT_EQ(summary["outcome"], "done");
  EXPECT_GT(summary["loop_seconds"], 5);
  EXPECT_TRUE(summary["roofline_fraction"].is_null());
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "cache/wisdom")) {
    EXPECT_TRUE(entry.path().filename().string().starts_with("runs_")) << entry.path() << ": only the run's own rate";
  }
  const std::string probes = content_of(directory_ / "out/probes.csv");
  EXPECT_EQ(std::count(probes.begin(), probes.end(), '\n'), summary["steps"].get<long>() + 2);
}

}  // namespace
}  // namespace maxwell_dg::testing
