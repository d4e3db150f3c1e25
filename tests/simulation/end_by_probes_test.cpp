#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/simulation/outputs/decay.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/simulation/boxes.hpp"
#include "tests/simulation/fixture.hpp"
#include "tests/support/named_faces.hpp"

/// The end by decay where nearly all of the energy is elsewhere than the probes: as outside of a shielding box.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

/// A loud room that falls silent at once, and behind a wall a quiet one that rings, 80 dB below.
constexpr const char* two_rooms = R"yaml(units: normalized
mesh: {file: rooms.h5}
solver: {order: 3, precision: double}
time: {until: {decay: "-40 dB"}, at_most: 400}
materials: [{region: loud, sigma: 2}, {region: quiet, sigma: 0.1}]
boundaries: [{region: wall, type: pec}, {region: "*", type: pec}]
sources:
  - {type: dipole, at: [-0.6, 0.1, 0.2], moment: [0, 0, 1], waveform: {type: gaussian_pulse, frequency: 0.6, bandwidth: 0.6}}
  - {type: dipole, at: [0.6, 0.1, 0.2], moment: [0, 0, 1e-4], waveform: {type: gaussian_pulse, frequency: 0.6, bandwidth: 0.6}}
outputs:
  probes: [{name: inside, at: [0.3, 0.4, 0.3]}, {name: outside, at: [-0.3, 0.4, 0.3]}]
)yaml";

class EndByProbes : public SimulationTest {
 protected:
  EndByProbes() {
    dg::Mesh mesh = box_of_regions({.min = {-1, 0, 0}, .max = {1, 1, 1}, .cells = {4, 2, 2}},
                                   [](const dg::Point& x) { return x[0] < 0 ? "loud" : "quiet"; });
    name_faces(mesh, "wall", [](const dg::Point& x) { return std::abs(x[0]) < 1e-9; });
    dg::prepare(mesh, "rooms.h5", dg::Orientation::any);
    dg::write_mesh(mesh, folder() / "rooms.h5");
  }
};

TEST_F(EndByProbes, waits_for_those_with_spectra) {
  const std::string spectra = "outputs.probe_spectra={probes: [inside], from: 0.4, to: 0.8, count: 9}";
  Simulation unwatched(load(two_rooms)), watched(load(two_rooms, {spectra}));
  EXPECT_LT(unwatched.run().time_end, 40) << "the energy is nearly all in the loud room";
  const simulation::Summary& summary = watched.run();
  EXPECT_EQ(summary.ended_by, "decay");
  EXPECT_GT(summary.time_end, 80);
  EXPECT_LT(summary.time_end, 200);
  ASSERT_EQ(summary.decays.front().probes.size(), 1U);
  EXPECT_EQ(summary.decays.front().probes[0].name, "inside");
  EXPECT_LE(summary.decays.front().probes[0].level_db.value(), -40);
  EXPECT_TRUE(summary.warnings.empty()) << summary.warnings.front();

  // Nothing that matters is missing.
  Simulation whole(load(two_rooms, {spectra, "time={end: 400}"}));
  whole.run();
  const dg::Table of_watched = watched.table("probe_spectra"), of_whole = whole.table("probe_spectra");
  const std::vector<double>&found = of_watched.column("inside.Ez_re"), &expected = of_whole.column("inside.Ez_re");
  double largest = 0, off = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    off = std::max(off, std::abs(found[i] - expected[i]));
  }
  EXPECT_LT(off, 0.01 * largest);
}

TEST_F(EndByProbes, names_them_where_the_longest_time_comes_first) {
  const auto run = [&](const std::string& weak) {
    return run_program_on(two_rooms, "out",
                          {"--set", "outputs.probe_spectra={from: 0.4, to: 0.8, count: 9}", "--set", "time.at_most=50",
                           "--set", "sources.1.moment=[0, 0, " + weak + "]"});
  };
  const Outcome outcome = run("1e-4");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("time.at_most: reached, before the fields had died away: the energy at -"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find(", the field at probe 'inside' at -"), std::string::npos) << outcome.err;
  const auto summary = [&] { return nlohmann::json::parse(content_of(folder() / "out/summary.json")); };
  EXPECT_GT(summary()["decay"][0]["probes"]["inside"].get<double>(), -40);
  EXPECT_LT(summary()["decay"][0]["probes"]["outside"].get<double>(), -40);
  // Rounding and crosstalk are not waited for.
  EXPECT_EQ(run("1e-8").exit_code, 0);
  EXPECT_EQ(summary()["ended_by"], "decay");
}

TEST_F(EndByProbes, ends_at_the_same_step_wherever_it_was_broken_off) {
  const std::vector<std::string> saved{"outputs.probe_spectra={probes: [inside], from: 0.4, to: 0.8, count: 9}",
                                       "checkpoint={steps: 100000}"};
  const simulation::OutputDirectory directory(folder() / "whole"), again(folder() / "again");
  Simulation whole(load(two_rooms, saved), {.directory = &directory});
  whole.run();
  {
    Simulation first(load(two_rooms, saved), {.directory = &again});
    first.step(whole.plan().steps / 8);
    ASSERT_EQ(first.finish().outcome, "interrupted");
  }
  Simulation second(load(two_rooms, saved), {.directory = &again, .resume = true});
  second.run();
  EXPECT_EQ(second.summary().steps, whole.summary().steps);
  EXPECT_EQ(content_of(again.path() / "probe_spectra.csv"), content_of(directory.path() / "probe_spectra.csv"));
}

}  // namespace
}  // namespace maxwell_dg::testing
