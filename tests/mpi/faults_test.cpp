#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/counted.hpp"
#include "core/device/device.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// What happens to one rank ends all of them in order, and what they have written is of use.
namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Arguments = std::vector<std::string>;

constexpr auto longest_end = 10s;  // of the others, after one rank has failed

/// Nobody may have asked yet how it has ended.
bool is_running(pid_t process) {
  const fs::path status = "/proc/" + std::to_string(process) + "/stat";
  return fs::exists(status) && content_of(status).find(") Z ") == std::string::npos;
}

/// The process of a rank below mpirun.
pid_t process_of_rank(pid_t mpirun, int rank) {
  std::ifstream children("/proc/" + std::to_string(mpirun) + "/task/" + std::to_string(mpirun) + "/children");
  for (pid_t child = 0; children >> child;) {
    const std::string environment = content_of("/proc/" + std::to_string(child) + "/environ");
    if (environment.find("OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0') != std::string::npos) return child;
  }
  return -1;
}

/// The cavity on several ranks, with many steps.
class FaultOnRanks : public ::testing::Test {
 protected:
  [[nodiscard]] Arguments cavity(const std::string& out, const Arguments& assignments) const {
    write_file_atomically(directory_ / "config.yaml", cavity_config());
    Arguments arguments{(directory_ / "config.yaml").string(), "--device", "cpu", "--output",
                        (directory_ / out).string()};
    for (const std::string& more : with_set(assignments)) arguments.push_back(more);
    return arguments;
  }
  [[nodiscard]] Outcome run(int ranks, const Arguments& arguments) const {
    return ranks == 1 ? run_program(arguments, directory_.path()) : run_on_ranks(ranks, arguments, directory_.path());
  }
  [[nodiscard]] Program start(int ranks, const Arguments& arguments, const Arguments& of_mpirun = {}) const {
    return {mpirun_arguments(ranks, arguments, of_mpirun), directory_.path(), {.program = MAXWELL_DG_MPIEXEC}};
  }
  /// Each rank in its own way: (arguments in front of the program, arguments behind it).
  [[nodiscard]] Outcome run_each(const std::vector<std::pair<Arguments, Arguments>>& ranks) const {
    Arguments all;
    for (const auto& [before, after] : ranks) {
      if (!all.empty()) all.emplace_back(":");
      all.insert(all.end(), {"-n", "1"});
      all.insert(all.end(), before.begin(), before.end());
      all.push_back(program_path());
      all.insert(all.end(), after.begin(), after.end());
    }
    return run_program(all, directory_.path(), {.program = MAXWELL_DG_MPIEXEC});
  }
  [[nodiscard]] std::vector<dg::CheckpointName> checkpoints(const std::string& out) const {
    return fs::exists(directory_ / out) ? dg::checkpoints_in(directory_ / out) : std::vector<dg::CheckpointName>();
  }
  template <class Condition>
  static void wait_until(const Condition& condition) {
    for (const auto end = Clock::now() + 60s; Clock::now() < end && !condition();) std::this_thread::sleep_for(2ms);
  }

  const TemporaryDirectory directory_;
};

class KilledRank : public FaultOnRanks, public ::testing::WithParamInterface<int> {};

TEST_P(KilledRank, ends_all_of_them_and_others_go_on_from_the_last_checkpoint) {
  const Arguments steps{"time.end=100", "checkpoint={steps: 100}"};
  ASSERT_EQ(run(1, cavity("whole", steps)).exit_code, 0);
  Program program = start(3, cavity("parts", steps));
  wait_until([&] { return !checkpoints("parts").empty(); });
  ASSERT_FALSE(checkpoints("parts").empty());
  std::vector<pid_t> ranks;
  for (int rank = 0; rank < 3; ++rank) ranks.push_back(process_of_rank(program.pid(), rank));
  ASSERT_GT(*std::ranges::min_element(ranks), 0);
  kill(ranks[static_cast<std::size_t>(GetParam())], SIGKILL);
  const auto killed = Clock::now();
  const Outcome outcome = program.wait();
  EXPECT_LT(Clock::now() - killed, longest_end);
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL) << outcome.err;
  const auto have_ended = [&] { return std::ranges::none_of(ranks, [](pid_t rank) { return is_running(rank); }); };
  while (!have_ended() && Clock::now() - killed < longest_end) std::this_thread::sleep_for(2ms);
  EXPECT_TRUE(have_ended()) << "some ranks outlive mpirun";
  EXPECT_FALSE(fs::exists(directory_ / "parts/summary.json")) << "the run had not ended";

  Arguments resumed = cavity("parts", steps);
  resumed.emplace_back("--resume");
  const Outcome rest = run(2, resumed);
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  const auto summary = nlohmann::json::parse(content_of(directory_ / "parts/summary.json"));
  EXPECT_GE(summary["resumed_from_step"].get<long>(), 100);
  expect_same_tables(directory_ / "parts", directory_ / "whole", 1e-12);
  for (const auto& entry : fs::directory_iterator(directory_ / "parts")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".tmp")) << entry.path();
  }
}

INSTANTIATE_TEST_SUITE_P(rank, KilledRank, ::testing::Values(0, 2), ::testing::PrintToStringParamName());

class SignalToMpirun : public FaultOnRanks, public ::testing::WithParamInterface<int> {};

TEST_P(SignalToMpirun, leaves_one_checkpoint_from_which_another_number_of_ranks_goes_on) {
  const Arguments steps{"time.end=2000", "checkpoint={every: 1 h}"};
  ASSERT_EQ(run(1, cavity("whole", steps)).exit_code, 0);
  // Open MPI 4 waits for so many seconds before it hands SIGTERM on, and for as many before it kills.
  Program program = start(3, cavity("parts", steps), {"--mca", "odls_base_sigkill_timeout", "2"});
  const auto has_begun = [&] {  // beneath the line of names, which is there before the time loop begins
    const std::string rows = content_of(directory_ / "parts/probes.csv");
    return std::ranges::count(rows, '\n') > 1;
  };
  wait_until(has_begun);
  ASSERT_TRUE(has_begun());
  program.send(GetParam());
  const Outcome outcome = program.wait();
  EXPECT_NE(outcome.exit_code, 0) << outcome.err;
  if (GetParam() == SIGUSR2) {
    EXPECT_EQ(outcome.exit_code, 128 + SIGUSR2) << "handed on to the ranks";
  }
  const auto written = checkpoints("parts");
  ASSERT_EQ(written.size(), 1U) << outcome.err;
  const auto summary = nlohmann::json::parse(content_of(directory_ / "parts/summary.json"));
  EXPECT_EQ(summary["outcome"], "interrupted");
  EXPECT_EQ(written.front().step, summary["steps"].get<long>());

  // What a rank that was killed while it wrote leaves behind.
  const std::string whole = content_of(written.front().path);
  std::ofstream(directory_ / "parts/checkpoint_999999.h5") << whole.substr(0, whole.size() / 2);
  Arguments resumed = cavity("parts", steps);
  resumed.emplace_back("--resume");
  const Outcome rest = run(1, resumed);
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_NE(rest.err.find("checkpoint_999999.h5: skipped, it is damaged"), std::string::npos) << rest.err;
  const auto after = nlohmann::json::parse(content_of(directory_ / "parts/summary.json"));
  EXPECT_EQ(after["resumed_from_step"], written.front().step);
  expect_same_tables(directory_ / "parts", directory_ / "whole", 1e-12);
}

INSTANTIATE_TEST_SUITE_P(signal, SignalToMpirun, ::testing::Values(SIGTERM, SIGINT, SIGUSR2), [](const auto& signal) {
  return std::string(signal.param == SIGTERM ? "SIGTERM" : signal.param == SIGINT ? "SIGINT" : "SIGUSR2");
});

TEST_F(FaultOnRanks, a_disk_that_fills_up_under_one_rank_ends_all_of_them_and_leaves_what_was_there) {
  const Arguments assignments{"checkpoint={steps: 4}", "outputs.fields={count: 2, quantities: [E]}"};
  ASSERT_EQ(run(1, cavity("whole", assignments)).exit_code, 0);
  fs::create_directory(directory_ / "parts");
  fs::create_symlink("/dev/full", directory_ / "parts/fields_000002_r0001.vtu");
  const auto began = Clock::now();
  const Outcome outcome = run(3, cavity("parts", assignments));
  EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
  // The link is followed.
  EXPECT_TRUE(
      std::regex_search(outcome.err, std::regex("error: rank 1 on [^ ]+: /dev/full: cannot write: No space left")))
      << outcome.err;
  EXPECT_EQ(outcome.err.find("error: "), outcome.err.rfind("error: ")) << "said once: " << outcome.err;
  EXPECT_LT(Clock::now() - began, longest_end + 10s);
  ASSERT_FALSE(checkpoints("parts").empty());
  EXPECT_TRUE(content_of(directory_ / "parts/fields_000001_r0001.vtu").ends_with("</VTKFile>\n"));
  EXPECT_FALSE(fs::exists(directory_ / "parts/fields_000002.pvtu")) << "a piece is missing";

  fs::remove(directory_ / "parts/fields_000002_r0001.vtu");  // there is room again
  Arguments resumed = cavity("parts", assignments);
  resumed.emplace_back("--resume");
  const Outcome rest = run(2, resumed);
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  expect_same_tables(directory_ / "parts", directory_ / "whole", 1e-12);
  EXPECT_TRUE(content_of(directory_ / "parts/fields_000002_r0001.vtu").ends_with("</VTKFile>\n"));
}

TEST_F(FaultOnRanks, a_full_disk_is_noticed_long_before_the_next_snapshot) {
  for (const char* output : {"fields", "surface_fields"}) {
    const std::string snapshots = output == std::string("fields")
                                      ? "outputs.fields={count: 1}"
                                      : "outputs.surface_fields={surfaces: \"*\", count: 1}";
    fs::remove_all(directory_ / "parts");
    fs::create_directory(directory_ / "parts");
    fs::create_symlink("/dev/full", directory_ / "parts" / (output + std::string("_000000_r0001.vtu")));
    const auto began = Clock::now();
    const Outcome outcome = run(2, cavity("parts", {"time.end=1e6", snapshots}));
    EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
    EXPECT_TRUE(std::regex_search(outcome.err, std::regex("error: rank 1 on [^ ]+: /dev/full: cannot write: No space")))
        << outcome.err;
    EXPECT_LT(Clock::now() - began, longest_end + 5s);
  }
}

TEST_F(FaultOnRanks, a_checkpoint_that_cannot_be_written_ends_all_of_them_and_leaves_the_one_before) {
  const Arguments steps{"time.end=1e6", "checkpoint={steps: 4}"};
  fs::create_directory(directory_ / "parts");
  fs::create_symlink("/dev/full", directory_ / "parts/checkpoint_000008.h5");
  const auto began = Clock::now();
  const Outcome outcome = run(3, cavity("parts", steps));
  EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
  EXPECT_NE(outcome.err.find("/dev/full: cannot write: No space left on device"), std::string::npos) << outcome.err;
  EXPECT_LT(Clock::now() - began, longest_end + 5s);
  const auto left = checkpoints("parts");
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(dg::read_checkpoint(left.front().path).integer("step"), 4);
}

TEST_F(FaultOnRanks, ranks_with_other_configs_are_noticed_before_the_first_step) {
  const Outcome outcome = run_each({{{}, cavity("out", {})}, {{}, cavity("out", {"materials.0.epsilon_r=2"})}});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("rank 1 has another config, mesh, kind of device or version of this program than rank 0"),
            std::string::npos)
      << outcome.err;
  EXPECT_FALSE(fs::exists(directory_ / "out/probes.csv"));
}

TEST_F(FaultOnRanks, a_warning_is_said_once_with_the_ranks_that_the_first_one_does_not_speak_for) {
  const Arguments without_cache{"env", "MAXWELL_DG_CACHE=/proc/no_cache"}, config = cavity("out", {});
  const auto warnings_of = [&](const Arguments& first, const Arguments& others) {
    const Outcome outcome = run_each({{first, config}, {others, config}, {others, config}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::vector<std::string> warnings;
    const std::string log = content_of(directory_ / "out/run.log");
    const auto summary = nlohmann::json::parse(content_of(directory_ / "out/summary.json"));
    for (const auto& warning : summary["warnings"]) {
      const auto text = warning.get<std::string>();
      if (text.find("kernel cache") == std::string::npos) continue;
      warnings.push_back(text.substr(0, text.find(" cannot")));
      for (const std::string* all : {&outcome.err, &log}) {
        const std::size_t at = all->find("warning: " + text);
        EXPECT_NE(at, std::string::npos) << *all;
        EXPECT_EQ(all->find(text, at + 10), std::string::npos) << "said once: " << *all;
      }
    }
    return warnings;
  };
  const auto said_by = [](const std::string& ranks) {
    return std::vector<std::string>{ranks + "kernel cache /proc/no_cache/kernels:"};
  };
  EXPECT_EQ(warnings_of({}, without_cache), said_by("ranks 1, 2: "));
  EXPECT_EQ(warnings_of(without_cache, without_cache), said_by(""));
}

TEST_F(FaultOnRanks, a_rank_that_does_not_find_its_config_names_itself) {
  Arguments missing = cavity("out", {});
  missing.front() = (directory_ / "missing.yaml").string();
  const auto began = Clock::now();
  const Outcome outcome = run_each({{{}, cavity("out", {})}, {{}, missing}});
  EXPECT_LT(Clock::now() - began, longest_end + 5s);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("error: rank 1 on "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("missing.yaml"), std::string::npos) << outcome.err;
}

TEST_F(FaultOnRanks, more_ranks_than_elements_are_refused) {
  const Outcome outcome = run(7, cavity("out", {"mesh.box.cells=[1, 1, 1]"}));
  EXPECT_EQ(outcome.exit_code, 2);
  const std::string text =
      "a mesh of 6 elements for 7 processes: start at most as many processes as there are elements";
  const std::size_t first = outcome.err.find(text);
  ASSERT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find(text, first + 1), std::string::npos) << "said once: " << outcome.err;
}

TEST_F(FaultOnRanks, more_ranks_than_gpus_are_refused) {
  const std::vector<core::DeviceInfo> devices = core::list_devices();
  const auto gpus = std::ranges::count(devices, core::Backend::cuda, &core::DeviceInfo::backend);
  if (gpus == 0) GTEST_SKIP() << "needs a GPU";
  Arguments arguments = cavity("out", {});
  *(std::ranges::find(arguments, "--device") + 1) = "cuda";
  const Outcome outcome = run(static_cast<int>(gpus) + 1, arguments);
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  const std::string text = " has " + core::counted(static_cast<std::size_t>(gpus), "GPU", "GPUs") + " for " +
                           std::to_string(gpus + 1) + " ranks; start at most one for each GPU";
  const std::size_t first = outcome.err.find(text);
  ASSERT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find(text, first + 1), std::string::npos) << "said once: " << outcome.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
