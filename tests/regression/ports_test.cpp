#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* guide = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [2, 1, 3], cells: [2, 1, 3]}}
solver: {order: 2}
time: {end: 120}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: pec}]
ports:
  - {name: p1, boundary: z_min, mode: te10}
  - {name: p2, boundary: z_max, mode: te10}
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.4, bandwidth: 0.16}}]
outputs: {s_parameters: {from: 0.34, to: 0.46, count: 3}}
checkpoint: {steps: 50, keep: 100}
)yaml";

class Ports : public ::testing::Test {
 protected:
  Outcome run(const std::string& folder, const std::vector<std::string>& more = {}) const {
    write_file_atomically(directory_ / "guide.yaml", guide);
    std::vector<std::string> arguments{(directory_ / "guide.yaml").string(), "--output",
                                       (directory_ / folder).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, directory_.path());
  }
  const TemporaryDirectory directory_;
};

TEST_F(Ports, a_resumed_run_has_the_same_scattering_parameters) {
  const Outcome whole = run("out");
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::string S = content_of(directory_ / "out/s_parameters.s2p"),
                    waves = content_of(directory_ / "out/port_waves.csv");
  ASSERT_NE(S, "");
  const Outcome refused = run("out", {"--resume", "--set", "time.end=1000"});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_EQ(content_of(directory_ / "out/port_waves.csv"), waves) << "a refusal takes nothing from the results";
  fs::remove(directory_ / "out/s_parameters.s2p");
  const auto checkpoints = dg::checkpoints_in(directory_ / "out");
  ASSERT_GT(checkpoints.size(), 2U);
  for (std::size_t i = checkpoints.size() / 2; i < checkpoints.size(); ++i) fs::remove(checkpoints[i].path);
  const Outcome resumed = run("out", {"--resume"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("resum"), std::string::npos) << resumed.err;
  EXPECT_EQ(content_of(directory_ / "out/s_parameters.s2p"), S);
  EXPECT_EQ(content_of(directory_ / "out/port_waves.csv"), waves);
}

TEST_F(Ports, levels_of_energy_and_waves_are_told_for_each_driven_port) {
  const auto decay_of = [&](const std::string& folder, const std::vector<std::string>& more) {
    const Outcome outcome = run(folder, more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return std::pair(nlohmann::json::parse(content_of(directory_ / (folder + "/summary.json"))), outcome.err);
  };
  const auto [quiet, nothing_said] = decay_of("out", {});
  ASSERT_EQ(quiet["decay"].size(), 2U);
  EXPECT_EQ(quiet["decay"][1]["driven"], "p2");
  for (const auto& turn : quiet["decay"]) {
    EXPECT_LT(turn["energy_db"], -40);
    EXPECT_LT(turn["ports"]["p1"], -40);
    EXPECT_LT(turn["ports"]["p2"], -40);
  }
  EXPECT_EQ(nothing_said.find("have died away"), std::string::npos) << nothing_said;

  // So short that the wave has just come in when the next port's turn begins.
  const auto [loud, said] = decay_of("short", {"--set", "time.end=80", "--set", "checkpoint=null"});
  EXPECT_GT(loud["decay"][0]["ports"]["p1"], -40);
  const std::string warning =
      "warning: s_parameters: the share of the run in which port 'p1' is driven ends before the fields have died away: "
      "the energy at -";
  EXPECT_NE(said.find(warning), std::string::npos) << said;
  EXPECT_NE(said.find("the wave out of port 'p1' at -"), std::string::npos) << said;
  EXPECT_NE(said.find("; simulate a longer time"), std::string::npos) << said;
}

TEST_F(Ports, progress_names_the_port_that_is_driven) {
  const std::string script = "/usr/bin/script";  // runs a command on a terminal
  if (!fs::exists(script)) GTEST_SKIP() << script << " is missing";
  write_file_atomically(directory_ / "guide.yaml", guide);
  const std::string command = program_path() + " " + (directory_ / "guide.yaml").string() + " --output " +
                              (directory_ / "out").string() + " --set time.end=3000 --set checkpoint=null";
  const Outcome outcome = run_program({"-qec", command, "/dev/null"}, directory_.path(), {.program = script});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("  port p2 driven (2 of 2)  "), std::string::npos) << outcome.out;
}

TEST_F(Ports, with_one_of_two_driven_there_are_the_waves_alone) {
  const Outcome outcome = run("out", {"--set", "sources.0.ports=p2", "--set", "checkpoint=null"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(directory_ / "out/s_parameters.s2p"));
  EXPECT_NE(outcome.err.find("not every port was driven"), std::string::npos) << outcome.err;
  const dg::Table waves = dg::read_csv(directory_ / "out/port_waves.csv");
  EXPECT_EQ(waves.column("driven"), std::vector<double>(6, 2));
  EXPECT_EQ(waves.column("port"), (std::vector<double>{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(waves.column("a_re")[1], 1);
  EXPECT_EQ(waves.column("a_im")[1], 0);
}

}  // namespace
}  // namespace maxwell_dg::testing
