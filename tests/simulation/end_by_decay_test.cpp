#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <regex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/simulation/outputs/decay.hpp"
#include "core/error.hpp"
#include "dg/observe/decay_record.hpp"
#include "tests/simulation/fixture.hpp"

namespace maxwell_dg::testing {
namespace {

using simulation::Decay;
using simulation::EndRule;
using simulation::OutputDirectory;
using simulation::Simulation;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A pulse in open space.
constexpr const char* open_box = R"yaml(units: normalized
mesh: {box: {min: [-1, -1, -1], max: [1, 1, 1], cells: [2, 2, 2]}}
solver: {order: 3, precision: double}
time: {until: {decay: "-40 dB"}, at_most: 200}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - {type: dipole, at: [0.1, 0.2, 0.3], moment: [0, 0, 1],
     waveform: {type: gaussian_pulse, frequency: 0.3, bandwidth: 0.3}}
outputs:
  probes: [{name: p, at: [0.5, 0.4, 0.3]}]
  energy: {every: 1}
)yaml";

/// The guide of the other tests, and how it may end.
const std::vector<std::string> by_decay{"time={until: {decay: -60 dB}, at_most: 400}", "outputs.surface_fields=null"};

std::vector<std::string> with(std::vector<std::string> changes, const std::vector<std::string>& more) {
  changes.insert(changes.end(), more.begin(), more.end());
  return changes;
}

/// The decay of one energy and of waves out of ports, in one turn.
Decay decay_of(const dg::DecayRecord& energy, const std::vector<dg::DecayRecord>& waves) {
  const auto decibels = [](std::optional<double> ratio, double factor) {
    return ratio && *ratio > 0 ? std::optional(factor * std::log10(*ratio)) : std::nullopt;
  };
  Decay decay{.peak = energy.peak(0), .last = energy.last(0), .level_db = decibels(energy.ratio(0), 10)};
  for (const dg::DecayRecord& wave : waves) {
    decay.waves.push_back({"p" + std::to_string(decay.waves.size()), wave.peak(0), decibels(wave.ratio(0), 20)});
  }
  return decay;
}

/// When a rule ends a run whose energy and waves are these functions of time; infinite if it does not until 100.
template <class Energy, class... Waves>
double end_by(const EndRule& rule, const Energy& energy, const Waves&... waves) {
  dg::DecayRecord of_energy({.end = 100, .window = rule.window});
  std::vector<dg::DecayRecord> of_waves(sizeof...(waves), of_energy);
  for (int i = 0; i <= 2000; ++i) {
    const double t = 0.05 * i;
    of_energy.add(t, energy(t));
    std::size_t w = 0;
    (of_waves[w++].add(t, waves(t)), ...);
    if (rule.has_ended(t, decay_of(of_energy, of_waves).highest_db())) return t;
  }
  return infinity;
}

/// Pulses of width 1 at times 2, 12, 22 ..., each a tenth of the one before in amplitude.
double echoes(double t) {
  double sum = 0;
  for (int i = 0; i < 10; ++i) sum += std::pow(0.1, i) * std::exp(-std::pow(t - 2 - 10 * i, 2));
  return sum;
}

TEST(EndRule, does_not_end_between_two_echoes) {
  // The energy between two echoes is that of the pulse inside; the wave out of the port is nothing there.
  const auto energy = [](double t) { return std::pow(0.01, std::floor((t + 8) / 10)); };
  const EndRule rule{.wanted_db = -50, .sources_end = 4, .window = 1};
  EXPECT_NEAR(end_by(rule, energy, echoes), 23.7, 0.5) << "-40 dB between the second and the third, then -60 dB";
  // An energy that is not seen, as that of poles, comes back: the window must reach from one echo to the next.
  const auto dark = [](double t) { return 1e-12 + std::pow(echoes(t), 2); };
  EXPECT_LT(end_by(rule, dark), 9) << "the test has no gap that a short window takes for the end";
  EXPECT_GT(end_by({.wanted_db = -50, .sources_end = 4, .window = 11}, dark), 22 + 11 - 3);
}

TEST(EndRule, waits_for_the_sources_and_for_a_window_after_them) {
  const auto early = [](double t) { return t < 1 ? 1 : 1e-9; };  // the pulse itself has not begun
  EXPECT_NEAR(end_by({.wanted_db = -50, .sources_end = 30, .window = 5}, early), 35, 0.06);
  EXPECT_NEAR(end_by({.wanted_db = -50, .sources_end = 0, .window = 5}, early), 6, 0.1);
}

TEST(EndRule, waits_for_the_wave_out_of_each_port_that_has_one) {
  const EndRule rule{.wanted_db = -50, .sources_end = 1, .window = 1};
  const auto falling = [](double time_constant, double size = 1) {
    return [=](double t) { return size * std::exp(-t / time_constant); };
  };
  const double in_powers = 5 * std::log(10) / 2;  // time constants of an amplitude to -50 dB
  EXPECT_NEAR(end_by(rule, falling(1), falling(3), falling(2)), 3 * in_powers + 1, 0.1);
  EXPECT_NEAR(end_by(rule, falling(1), falling(2), falling(3)), 3 * in_powers + 1, 0.1);
  EXPECT_NEAR(end_by(rule, falling(1), falling(2), falling(30, 1e-4)), 2 * in_powers + 1, 0.1)
      << "a wave of -80 dB is crosstalk of the mesh";
}

TEST(EndRule, does_not_end_a_run_without_any_field_or_with_one_that_stays) {
  const EndRule rule{.wanted_db = -50, .sources_end = 1, .window = 1};
  EXPECT_EQ(end_by(rule, [](double) { return 0.0; }), infinity);
  EXPECT_EQ(end_by(rule, [](double t) { return 1e-4 + std::exp(-t); }), infinity);
  EXPECT_LT(end_by(rule, [](double t) { return t < 3 ? 1.0 : 0.0; }), 5) << "nothing at all is left";
}

TEST_F(SimulationTest, ends_when_the_fields_have_died_away) {
  Simulation simulation(load(open_box));
  const simulation::Summary& summary = simulation.run();
  EXPECT_EQ(summary.outcome, "done");
  EXPECT_EQ(summary.ended_by, "decay");
  EXPECT_LT(summary.time_end, 40);
  EXPECT_EQ(summary.steps, simulation.steps());
  EXPECT_EQ(simulation.probes().rows(), static_cast<std::size_t>(summary.steps) + 1);
  EXPECT_EQ(summary.time_end, simulation.probes().column("time").back());
  ASSERT_EQ(summary.decays.size(), 1U);
  EXPECT_NEAR(summary.decays.front().ended.value(), summary.time_end, 1e-12);
  EXPECT_TRUE(summary.warnings.empty()) << summary.warnings.front();

  // Not before: with a look at every step it would be within an eighth of a window.
  const EndRule& rule = simulation.plan().end_rule.value();
  const dg::Table energies = simulation.energies();
  const std::vector<double>&time = energies.column("time"), &energy = energies.column("total");
  const double peak = *std::ranges::max_element(energy);
  double last_above = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (energy[i] > 1e-4 * peak) last_above = time[i];
  }
  EXPECT_GE(summary.time_end, std::max(rule.sources_end, last_above) + rule.window * 0.99);
  EXPECT_LE(summary.time_end, std::max(rule.sources_end, last_above) + rule.window * 1.26);
  EXPECT_GE(rule.window, 2 * std::sqrt(3)) << "a wave crosses the box";
}

TEST_F(SimulationTest, that_ends_by_decay_has_the_transforms_of_a_longer_run) {
  struct Found {
    std::vector<double> fields;
    dg::Table spectra;
  };
  const auto found_with = [&](const std::vector<std::string>& time) {
    std::vector<double> fields;
    simulation::Options options{.on_snapshot = [&](const dg::Snapshot& snapshot) {
      EXPECT_EQ(snapshot.series, "frequency_fields");
      for (const auto& quantity : snapshot.quantities) {
        for (const std::vector<double>& c : quantity.components) fields.insert(fields.end(), c.begin(), c.end());
      }
    }};
    Simulation simulation(load(open_box, with(time, {"outputs.frequency_fields={frequencies: [0.3]}",
                                                     "outputs.probe_spectra={from: 0.25, to: 0.35, count: 3}"})),
                          std::move(options));
    simulation.run();
    return Found{std::move(fields), simulation.table("probe_spectra")};
  };
  const Found brief = found_with({}), whole = found_with({"time={end: 100}"});
  ASSERT_EQ(brief.fields.size(), whole.fields.size());
  double largest = 0, deviation = 0;
  for (std::size_t i = 0; i < whole.fields.size(); ++i) {
    largest = std::max(largest, std::abs(whole.fields[i]));
    deviation = std::max(deviation, std::abs(brief.fields[i] - whole.fields[i]));
  }
  EXPECT_GT(largest, 0);
  EXPECT_LT(deviation, 1e-3 * largest);
  EXPECT_EQ(brief.spectra.rows(), 3U);
}

TEST_F(SimulationTest, that_ends_at_a_time_says_so) {
  Simulation simulation(load(open_box, {"time={end: 1}"}));
  EXPECT_EQ(simulation.run().ended_by, "time");
  Simulation stopped(load(open_box));
  stopped.step(3);
  EXPECT_EQ(stopped.finish().outcome, "interrupted");
  EXPECT_EQ(stopped.summary().ended_by, "");
}

TEST_F(SimulationTest, that_reaches_its_longest_time_warns_with_the_level) {
  Simulation simulation(
      load(open_box, {"boundaries.0={region: '*', type: impedance, impedance: 0.003}", "time.at_most=45"}));
  const simulation::Summary& summary = simulation.run();
  EXPECT_EQ(summary.outcome, "done");
  EXPECT_EQ(summary.ended_by, "at_most");
  EXPECT_EQ(summary.time_end, 45);
  ASSERT_EQ(summary.warnings.size(), 1U);
  const std::string level = "the energy at " + simulation::level_text(summary.decays.front().level_db) + " of its peak";
  EXPECT_NE(summary.warnings.front().find("time.at_most: reached, before the fields had died away: " + level +
                                          " (wanted: -40 dB). Give a longer"),
            std::string::npos)
      << summary.warnings.front();
  EXPECT_LT(summary.decays.front().level_db.value(), -0.1);
}

TEST_F(SimulationTest, drives_each_port_until_its_own_waves_have_died_away) {
  Simulation whole(load(guide, {"time.end=400", "outputs.surface_fields=null"})), brief(load(guide, by_decay));
  whole.run();
  const simulation::Summary& summary = brief.run();
  EXPECT_EQ(summary.ended_by, "decay");
  ASSERT_EQ(summary.decays.size(), 2U);
  EXPECT_LT(summary.decays[0].ended.value(), 150);
  EXPECT_GT(summary.decays[1].ended.value(), 200) << "the second share begins where it would have";
  EXPECT_LT(summary.decays[1].ended.value(), 350);
  EXPECT_LT(summary.steps, brief.plan().steps * 3 / 4);
  EXPECT_EQ(brief.probes().rows(), static_cast<std::size_t>(summary.steps) + 1);
  const dg::Network found = brief.s_parameters().value(), expected = whole.s_parameters().value();
  for (std::size_t f = 0; f < expected.S.size(); ++f) {
    EXPECT_LT((found.S[f] - expected.S[f]).cwiseAbs().maxCoeff(), 1e-3) << f;
  }
}

TEST_F(SimulationTest, waits_for_the_echo_of_a_long_line) {
  // Between what enters and what comes back, 60 later, nothing passes the port.
  const std::vector<std::string> shorted{"mesh.box={min: [0, 0, 0], max: [2, 1, 24], cells: [2, 1, 24]}",
                                         "ports=[{name: p1, boundary: z_min, mode: te10}]",
                                         "sources.0.waveform={type: gaussian_pulse, frequency: 0.4, bandwidth: 0.16}"};
  Simulation simulation(load(guide, with(by_decay, shorted)));
  Simulation whole(load(guide, with({"time.end=400", "outputs.surface_fields=null"}, shorted)));
  whole.run();
  const simulation::Summary& summary = simulation.run();
  EXPECT_EQ(summary.ended_by, "decay");
  EXPECT_LT(summary.time_end, 250);
  const dg::Network found = simulation.s_parameters().value(), expected = whole.s_parameters().value();
  for (std::size_t f = 0; f < expected.S.size(); ++f) {
    EXPECT_GT(std::abs(expected.S[f](0, 0)), 0.2) << "what the coarse mesh leaves of the echo";
    EXPECT_LT(std::abs(found.S[f](0, 0) - expected.S[f](0, 0)), 1e-3) << f;
  }
}

TEST_F(SimulationTest, ends_at_the_same_step_wherever_it_was_broken_off) {
  const std::vector<std::string> saved = with(by_decay, {"checkpoint={steps: 100000}"});
  const OutputDirectory directory(folder() / "whole");
  Simulation whole(load(guide, saved), {.directory = &directory});
  whole.run();
  for (const long step : {55L, 400L, whole.plan().steps / 2 + 60}) {
    const OutputDirectory again(folder() / std::to_string(step));
    {
      Simulation first(load(guide, saved), {.directory = &again});
      while (first.steps() < step && first.step(1) == 1) continue;
      ASSERT_EQ(first.finish().outcome, "interrupted");
    }
    Simulation second(load(guide, saved), {.directory = &again, .resume = true});
    second.run();
    EXPECT_EQ(second.summary().steps, whole.summary().steps) << step;
    EXPECT_EQ(second.summary().time_end, whole.summary().time_end) << step;
    EXPECT_EQ(second.summary().ended_by, "decay");
    for (const char* file : {"probes.csv", "port_waves.csv", "s_parameters.s2p"}) {
      EXPECT_TRUE(content_of(again.path() / file) == content_of(directory.path() / file)) << file << " " << step;
    }
    Simulation third(load(guide, saved), {.directory = &again, .resume = true});
    EXPECT_TRUE(third.has_ended());
  }
}

TEST_F(SimulationTest, that_has_ended_by_decay_goes_on_to_a_lower_level) {
  const OutputDirectory directory(folder() / "out");
  const std::vector<std::string> slow{"boundaries.0={region: '*', type: pec}", "materials.0.sigma=0.1"};
  const std::vector<std::string> saved = with(slow, {"checkpoint={steps: 100000}"});
  const double first = Simulation(load(open_box, saved), {.directory = &directory}).run().time_end;
  Simulation lower(load(open_box, with(saved, {"time.until.decay=-60"})), {.directory = &directory, .resume = true});
  EXPECT_GT(lower.run().time_end, first);
  EXPECT_EQ(lower.summary().ended_by, "decay");
  EXPECT_EQ(lower.summary().time_end, Simulation(load(open_box, with(slow, {"time.until.decay=-60"}))).run().time_end);
}

TEST_F(SimulationTest, whose_fields_cannot_die_away_says_so_after_some_periods) {
  const std::string closed = "boundaries.0={region: '*', type: pec}";
  for (const char* poles : {"null", "[{model: drude, plasma_frequency: 0.1, collision_frequency: 0}]"}) {
    try {
      Simulation simulation(
          load(open_box, {closed, "time.at_most=2000", std::string("materials.0.dispersion=") + poles}));
      simulation.run();
      FAIL() << "ended by " << simulation.summary().ended_by;
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("config.yaml:4:23: time.until.decay: will not come: "), std::string::npos) << message;
      EXPECT_NE(message.find("dB of its peak, and nothing in the model takes any: no absorbing boundary"),
                std::string::npos)
          << message;
      EXPECT_EQ(message.find('\n'), std::string::npos);
    }
  }
  // On a coarse mesh the upwind flux has taken by then what was asked for, which is no end.
  Simulation coarse(load(open_box, {closed, "time.at_most=2000", "solver.order=1", "sources.0.waveform.frequency=1"}));
  try {
    coarse.run();
    FAIL() << "ended by " << coarse.summary().ended_by;
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("nothing in the model takes any but the upwind flux, from waves that the mesh does not "
                           "resolve: no absorbing boundary"),
              std::string::npos)
        << message;
  }
  // What takes a little is waited for.
  Simulation lossy(load(open_box, {closed, "materials.0.sigma=0.1"}));
  EXPECT_EQ(lossy.run().ended_by, "decay");
}

/// A wall that is a coil, a capacitor or both takes energy and gives it back.
TEST_F(SimulationTest, says_that_the_end_will_not_come_where_circuits_without_losses_close_the_space) {
  // The sides of the film are no metal: it would join the conductors.
  const std::string closed =
      "boundaries=[{region: [x_min, x_max, z_max], type: pec}, {region: [y_min, y_max], type: pmc}]";
  const auto element = [](const std::string& kind) {
    return "elements=[{name: load, boundary: z_min, from: x_min, to: x_max, " + kind + "}]";
  };
  const auto message = [&](const std::string& kind) -> std::string {
    try {
      Simulation simulation(load(open_box, {closed, element(kind)}));
      return simulation.run().ended_by;
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  for (const char* kind :
       {"type: rlc, inductance: 0.3", "type: rlc, capacitance: 0.5", "type: rlc, resistance: 0, inductance: 1",
        "type: rlc, topology: parallel, inductance: 0.3, capacitance: 0.5",
        "type: network, A: [[0, -2], [2, 0]], B: [0, 1], C: [0, 1], D: 0"}) {
    EXPECT_NE(message(kind).find("time.until.decay: will not come: "), std::string::npos)
        << kind << ": " << message(kind);
  }
  for (const char* kind : {"type: rlc, resistance: 0.5", "type: rlc, resistance: 0.5, inductance: 0.3",
                           "type: network, A: [[-1, -2], [2, 0]], B: [0, 1], C: [0, 1], D: 0.4"}) {
    EXPECT_EQ(message(kind), "decay") << kind;
  }
}

TEST_F(SimulationTest, by_the_program_says_what_ended_it) {
  const std::string saved = "checkpoint={steps: 100000}";
  const Outcome decay = run_program_on(open_box, "decay", {"--set", saved});
  ASSERT_EQ(decay.exit_code, 0) << decay.err;
  const auto log = [&] { return content_of(folder() / "decay/run.log"); };
  EXPECT_NE(log().find("done (the fields have died away): "), std::string::npos) << log();
  const auto summary = [&](const char* output) {
    return nlohmann::json::parse(content_of(folder() / output / "summary.json"));
  };
  EXPECT_EQ(summary("decay")["ended_by"], "decay");
  const Outcome again = run_program_on(open_box, "decay", {"--set", saved, "--resume"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(log().find("this run is finished, there is nothing to do"), std::string::npos) << log();

  const Outcome time = run_program_on(open_box, "time", {"--set", "time={end: 2}"});
  ASSERT_EQ(time.exit_code, 0) << time.err;
  EXPECT_EQ(summary("time")["ended_by"], "time");

  const Outcome at_most = run_program_on(
      open_box, "at_most",
      {"--set", "time.at_most=45", "--set", "boundaries.0={region: '*', type: impedance, impedance: 0.003}"});
  ASSERT_EQ(at_most.exit_code, 0) << at_most.err;
  EXPECT_EQ(summary("at_most")["ended_by"], "at_most");
  EXPECT_NE(at_most.err.find("warning: "), std::string::npos) << at_most.err;
  EXPECT_NE(at_most.err.find(": time.at_most: reached, before the fields had died away: the energy at -"),
            std::string::npos)
      << at_most.err;

  const Outcome guided = run_program_on(guide, "guide", {"--set", by_decay[0], "--set", by_decay[1]});
  ASSERT_EQ(guided.exit_code, 0) << guided.err;
  const nlohmann::json of_ports = summary("guide");
  ASSERT_EQ(of_ports["decay"].size(), 2U);
  EXPECT_EQ(of_ports["decay"][1]["driven"], "p2");
  EXPECT_EQ(of_ports["decay"][1]["ended"], of_ports["time_end"]);
  EXPECT_LE(of_ports["decay"][0]["energy_db"].get<double>(), -60);
  EXPECT_LE(of_ports["decay"][0]["ports"]["p2"].get<double>(), -60);

  const Outcome closed = run_program_on(
      open_box, "closed", {"--set", "time.at_most=2000", "--set", "boundaries.0={region: '*', type: pec}"});
  EXPECT_EQ(closed.exit_code, 2) << closed.err;
  EXPECT_NE(closed.err.find("error: "), std::string::npos) << closed.err;
  EXPECT_NE(closed.err.find(": time.until.decay: will not come: "), std::string::npos) << closed.err;
}

/// On a terminal: the level, and what is left; of several ports only how much at most, for when the next ones end is
/// not known.
TEST_F(SimulationTest, by_the_program_shows_the_level_that_it_waits_for) {
  const std::string script = "/usr/bin/script";  // runs a command on a terminal
  if (!std::filesystem::exists(script)) GTEST_SKIP() << script << " is missing";
  const auto shown = [&](const std::string& text, const std::vector<std::string>& changes) {
    write_file_atomically(folder() / "config.yaml", text);
    std::string command =
        program_path() + " " + (folder() / "config.yaml").string() + " --output " + (folder() / "out").string();
    for (const std::string& change : changes) command += " --set '" + change + "'";
    const Outcome outcome = run_program({"-qec", command, "/dev/null"}, folder().path(), {.program = script});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
    return outcome.out;
  };
  const auto shows = [](const std::string& text, const char* pattern) {
    return std::regex_search(text, std::regex(pattern));
  };
  const std::string alone = shown(open_box, {"boundaries.0={region: \"*\", type: pec}", "materials.0.sigma=0.01",
                                             "mesh.box.cells=[3, 3, 3]", "time.at_most=4000"});
  EXPECT_TRUE(shows(alone, "  at -[0-9.]+ dB, wanted -40  about [0-9:]+ left")) << alone;
  const std::string in_turn =
      shown(guide, {"time={until: {decay: -180 dB}, at_most: 3000}", "outputs.surface_fields=null"});
  EXPECT_TRUE(shows(in_turn, "  port p1 driven \\(1 of 2\\)  at -[0-9.]+ dB, wanted -180  at most [0-9:]+ left"))
      << in_turn;
}

TEST_F(SimulationTest, whose_sources_do_not_end_in_time_is_refused) {
  const auto refused = [&](const std::vector<std::string>& changes, const std::string& message) {
    try {
      const Simulation simulation(load(open_box, changes));
      ADD_FAILURE() << "was taken: " << changes.front();
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  refused({"sources.0.waveform={type: expression, value: 'sin(t)*(1-exp(-t*t))'}"},
          "sources.0.waveform: does not end before time.at_most, as far as its expression tells, and time.until.decay "
          "waits for the sources' end; let it fall to zero");
  refused({"sources.0.waveform.delay=500"}, "sources.0.waveform: does not end before time.at_most (at ");
  refused({"sources=[{type: current, region: '*', density: ['0', '0', 'x*t']}]"},
          "sources.0.density: does not end before time.at_most");
  refused({"time.at_most=30"}, "time.at_most: too short for time.until.decay: the sources end at ");
  const Simulation pulse(load(open_box, {"sources=[{type: current, region: '*', density: ['0', '0', "
                                         "'exp(-(t-5)^2)']}]"}));
  EXPECT_NEAR(pulse.plan().end_rule.value().sources_end, 5 + std::sqrt(6 * std::log(10)), 0.1);
}

TEST_F(SimulationTest, waits_for_a_plane_wave_from_afar) {
  const std::string far = "mesh.box={min: [-1, -1, 29], max: [1, 1, 31], cells: [2, 2, 2]}";
  const std::string wave =
      "sources=[{type: plane_wave, direction: [0, 0, 2], polarization: [1, 0, 0], waveform: {type: gaussian_pulse, "
      "frequency: 0.5, bandwidth: 0.5}, injection: {type: scattered_field}}]";
  const Simulation simulation(load(open_box, {far, wave, "outputs.probes=[]"}));
  const Simulation near(load(open_box, {wave}));
  EXPECT_NEAR(simulation.plan().end_rule.value().sources_end - near.plan().end_rule.value().sources_end, 30, 1e-12);
}

}  // namespace
}  // namespace maxwell_dg::testing
