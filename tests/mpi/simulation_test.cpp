#include "apps/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/config/load.hpp"
#include "core/atomic_file.hpp"
#include "core/mpi/communicator.hpp"
#include "tests/support/guide_with_ports.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// A run in memory on several ranks: the first one has what one rank has.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

constexpr const char* box = R"yaml(units: normalized
device: cpu
mesh: {box: {min: [-1, -1, -1], max: [1, 1, 0], cells: [3, 3, 2]}}
solver: {order: 2, precision: double}
time: {end: 1}
materials: [{region: interior, epsilon_r: 1}]
boundaries: [{region: [x_min, "*"], type: pec}]
initial_fields: {E: ["y^2*z", "0", "cos(pi*x/2)*cos(pi*y/2)"]}
outputs:
  directory: out
  probes: [{name: p, at: [0.1, 0.2, -0.3]}]
  energy: {every: 1}
  fields: {count: 2}
  surface_fields: {surfaces: [x_min], count: 2}
  frequency_fields: {frequencies: [0.3]}
)yaml";

/// Of all snapshots of a series: [value] one after the other, and where their points are.
struct Snapshots {
  std::vector<double> at, values;
  std::vector<dg::Point> points;
};

struct Results {
  std::map<std::string, Snapshots> snapshots;
  std::vector<std::vector<double>> fields;
  std::optional<dg::Table> probes, energies;
};

/// Collective.
Results run_on(const core::Communicator& ranks, const std::filesystem::path& config) {
  Results result;
  simulation::Options options{.ranks = ranks, .log = [](LogLevel, std::string_view) {}};
  if (ranks.is_first()) {
    options.on_snapshot = [&](const dg::Snapshot& snapshot) {
      Snapshots& series = result.snapshots[snapshot.series];
      series.at.push_back(snapshot.at);
      series.points = *snapshot.points;
      for (const auto& quantity : snapshot.quantities) {
        for (const std::vector<double>& component : quantity.components) {
          series.values.insert(series.values.end(), component.begin(), component.end());
        }
      }
    };
  }
  Simulation simulation(config::load_config(config), std::move(options));
  simulation.run();
  result.fields = simulation.fields(simulation.field_names());
  if (ranks.is_first()) {
    result.probes = simulation.probes();
    result.energies = simulation.energies();
  } else {
    EXPECT_THROW((void)simulation.table("probes"), ConfigError) << "tables are the first rank's";
  }
  return result;
}

void expect_close(const std::vector<double>& found, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference = std::max(difference, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  EXPECT_LE(difference, 1e-12 * largest) << what;
}

TEST(SimulationOnRanks, in_memory_has_on_the_first_rank_what_one_rank_has) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "box.yaml", std::string_view(box));
  const core::Communicator world = core::Communicator::world();
  const Results found = run_on(world, directory / "box.yaml"), expected = run_on({}, directory / "box.yaml");
  for (std::size_t f = 0; f < expected.fields.size(); ++f) {
    expect_close(found.fields[f], expected.fields[f], "field " + std::to_string(f));
  }
  if (!world.is_first()) return;
  EXPECT_EQ(expected.snapshots.size(), 3U);
  for (const auto& [name, snapshots] : expected.snapshots) {
    const auto there = found.snapshots.find(name);
    ASSERT_NE(there, found.snapshots.end()) << name;
    EXPECT_EQ(there->second.at, snapshots.at) << name;
    EXPECT_EQ(there->second.points, snapshots.points) << name;
    expect_close(there->second.values, snapshots.values, name);
  }
  for (const auto& [mine, right] :
       {std::pair(&found.probes, &expected.probes), std::pair(&found.energies, &expected.energies)}) {
    ASSERT_EQ((*mine)->columns(), (*right)->columns());
    for (const std::string& column : (*right)->columns()) {
      ASSERT_EQ((*mine)->rows(), (*right)->rows());
      for (std::size_t row = 0; row < (*right)->rows(); ++row) {
        EXPECT_NEAR((*mine)->column(column)[row], (*right)->column(column)[row], 1e-12) << column;
      }
    }
  }
}

/// Two ports that are driven until the fields have died away.
const std::string guide = guide_with_ports(R"yaml(device: cpu
solver: {order: 2, precision: double}
time: {until: {decay: "-40 dB"}, at_most: 400}
outputs: {directory: out, s_parameters: {from: 0.34, to: 0.46, count: 3}}
)yaml");

TEST(SimulationOnRanks, ends_by_decay_at_the_step_at_which_one_rank_does) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "guide.yaml", guide);
  const auto run = [&](const core::Communicator& ranks) {
    simulation::Options options{.ranks = ranks, .log = [](LogLevel, std::string_view) {}};
    Simulation simulation(config::load_config(directory / "guide.yaml"), std::move(options));
    simulation.run();
    EXPECT_EQ(simulation.summary().ended_by, "decay");
    return std::pair(simulation.steps(), simulation.summary().steps);
  };
  const auto [last, made] = run(core::Communicator::world());
  const auto [last_of_one, made_of_one] = run({});
  EXPECT_EQ(last, last_of_one);
  EXPECT_EQ(made, made_of_one);
  EXPECT_LT(made, last) << "the first port's share was cut short, too";
}

/// Ranks ask each other after 1, 2, 4 ... steps at first.
TEST(SimulationOnRanks, stop_at_one_step_soon_after_one_of_them_wants_it) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "box.yaml", std::string_view(box));
  const core::Communicator world = core::Communicator::world();
  simulation::Options options{.ranks = world, .log = [](LogLevel, std::string_view) {}};
  options.stop = [&world, asked = 0]() mutable { return world.rank() == world.size() - 1 && ++asked > 4; };
  const std::vector<std::string> changes{"time.end=1e6", "outputs={directory: out}"};
  Simulation simulation(config::load_config(directory / "box.yaml", changes), std::move(options));
  const auto made = static_cast<double>(simulation.step(1000000));
  double least = made, most = made;
  world.min({&least, 1});
  world.max({&most, 1});
  EXPECT_EQ(least, most);
  EXPECT_GE(made, 4);
  EXPECT_LE(made, 1 + 2 + 4 + 8);
}

TEST(SimulationOnRanks, tells_on_all_ranks_that_fields_cannot_die_away) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "box.yaml", std::string_view(box));
  const std::vector<std::string> changes{"time={until: {decay: -40 dB}, at_most: 1000}", "outputs={directory: out}"};
  simulation::Options options{.ranks = core::Communicator::world(), .log = [](LogLevel, std::string_view) {}};
  Simulation simulation(config::load_config(directory / "box.yaml", changes), std::move(options));
  EXPECT_THROW(simulation.run(), ConfigError);
  EXPECT_LT(simulation.steps(), simulation.plan().steps / 2);
}

}  // namespace
}  // namespace maxwell_dg::testing
