#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/support/guide_with_ports.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

const std::string guide = guide_with_ports(R"yaml(solver: {order: 2}
time: {end: 120}
outputs: {s_parameters: {from: 0.34, to: 0.46, count: 3}}
checkpoint: {steps: 50, keep: 100}
)yaml");

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

/// Half way up in a shield of 2 by 1 by 2, a strip of metal without thickness.
constexpr const char* strip_line = R"yaml(units: normalized
mesh: {file: strip.h5}
solver: {order: 3}
time: {until: {decay: "-60 dB"}, at_most: 400}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: [x_min, x_max, y_min, y_max, strip], type: pec}]
ports: [{name: p1, boundary: z_min, mode: tem}, {name: p2, boundary: z_max, mode: tem}]
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.12, bandwidth: 0.16}}]
outputs: {s_parameters: {from: 0.08, to: 0.16, count: 3}}
)yaml";

TEST_F(Ports, of_a_strip_line_let_its_wave_through) {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {2, 1, 2}, .cells = {8, 4, 4}});
  name_faces(mesh, "strip",
             [](const dg::Point& x) { return std::abs(x[1] - 0.5) < 1e-9 && std::abs(x[0] - 1) < 0.5 + 1e-9; });
  dg::prepare(mesh, "strip.h5", dg::Orientation::any);
  dg::write_mesh(mesh, directory_ / "strip.h5");
  const Outcome outcome = run_config(directory_.path(), strip_line);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("port p1: tem, line impedance 0.1"), std::string::npos) << outcome.err;
  const dg::Table waves = dg::read_csv(directory_ / "out/port_waves.csv");
  for (std::size_t i = 0; i < waves.rows(); ++i) {
    const bool is_through = waves.column("driven")[i] != waves.column("port")[i];
    const std::complex b(waves.column("b_re")[i], waves.column("b_im")[i]);
    const auto expected = is_through ? std::polar(1.0, -4 * M_PI * waves.column("frequency")[i]) : 0.0;
    EXPECT_LT(std::abs(b - expected), is_through ? 0.035 : 0.025)
        << i;  // what the mesh makes of the edges of the strip
  }
  // A mode of the empty shield is none of this line, and the shield alone is none.
  const Outcome of_shield = run_config(directory_.path(), strip_line, {"--set", "ports.0.mode=te10"});
  EXPECT_EQ(of_shield.exit_code, 2);
  EXPECT_NE(of_shield.err.find("ports.0.boundary: 'z_min' is divided by metal that ends on it; mode te10 needs a plane "
                               "rectangle or disc"),
            std::string::npos)
      << of_shield.err;
  const Outcome of_magnet = run_config(
      directory_.path(), strip_line,
      {"--set", "boundaries=[{region: [x_min, x_max, y_min, y_max], type: pec}, {region: strip, type: pmc}]"});
  EXPECT_EQ(of_magnet.exit_code, 2);
  EXPECT_NE(of_magnet.err.find("ports.0.boundary: 'z_min' meets 'strip', of type pmc"), std::string::npos)
      << of_magnet.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
