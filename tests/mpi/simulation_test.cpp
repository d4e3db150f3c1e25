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

}  // namespace
}  // namespace maxwell_dg::testing
