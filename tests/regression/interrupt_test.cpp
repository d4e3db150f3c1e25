#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// The cavity for so long that it never ends by itself.
class InterruptTest : public ::testing::Test {
 protected:
  Program start() {
    write_file_atomically(directory_ / "cavity.yaml", cavity_config());
    Program program(
        {(directory_ / "cavity.yaml").string(), "--output", (directory_ / "out").string(), "--set", "time.end=1e6"},
        directory_.path());
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

TEST_F(InterruptTest, termination_has_its_own_exit_code) {
  EXPECT_EQ(interrupt(SIGTERM).exit_code, 143);
}

}  // namespace
}  // namespace maxwell_dg::testing
