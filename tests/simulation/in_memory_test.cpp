#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/simulation/fixture.hpp"
#include "tests/unit/observe/vtu_reader.hpp"

namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

void expect_same(const dg::Table& table, const std::filesystem::path& file) {
  const dg::Table written = dg::read_csv(file);
  EXPECT_EQ(table.columns(), written.columns());
  EXPECT_EQ(table.values(), written.values()) << file;
}

/// [field][element][node] that a checkpoint holds.
std::vector<std::vector<double>> state_in(const std::filesystem::path& directory) {
  const std::optional<dg::FoundCheckpoint> found = dg::newest_checkpoint(directory);
  const auto& q = found.value().archive.array("q");
  const std::size_t K = q.shape.at(0), fields = q.shape.at(1), Np = q.shape.at(2);
  std::vector<double> values(K * fields * Np);
  q.rows(0, std::as_writable_bytes(std::span(values)));
  std::vector<std::vector<double>> result(fields);
  for (std::size_t i = 0; i < values.size(); ++i) result[i / Np % fields].push_back(values[i]);
  return result;
}

TEST_F(SimulationTest, in_memory_step_by_step_has_the_numbers_of_the_program_and_writes_no_file) {
  Simulation simulation(load(guide));
  EXPECT_EQ(simulation.steps(), 0);
  EXPECT_EQ(simulation.step(7), 7);
  EXPECT_EQ(simulation.steps(), 7);
  EXPECT_EQ(simulation.probes().rows(), 8U);    // the beginning and seven steps
  EXPECT_EQ(simulation.energies().rows(), 3U);  // steps 0, 3 and 6
  EXPECT_FALSE(simulation.s_parameters());
  while (simulation.step(10) == 10) continue;
  ASSERT_TRUE(simulation.has_ended());
  EXPECT_EQ(simulation.steps(), simulation.plan().steps);
  EXPECT_EQ(simulation.step(), 0);
  EXPECT_TRUE(nothing_was_written());

  const Outcome outcome = run_program_on(guide, "out", {"--set", "checkpoint={steps: 100000}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* name : {"probes", "energy", "balance", "port_waves"}) {
    expect_same(simulation.table(name), folder() / (std::string("out/") + name + ".csv"));
  }
  EXPECT_EQ(dg::touchstone(simulation.s_parameters().value()), content_of(folder() / "out/s_parameters.s2p"));
  EXPECT_TRUE(simulation.fields(simulation.field_names()) == state_in(folder() / "out"));
  const nlohmann::json summary = nlohmann::json::parse(content_of(folder() / "out/summary.json"));
  EXPECT_EQ(summary["outcome"], simulation.summary().outcome);
  EXPECT_EQ(summary["energy"]["final"], simulation.summary().final_energy);
  EXPECT_EQ(summary["time_end"], simulation.time());
  EXPECT_EQ(summary["warnings"], simulation.summary().warnings);
}

TEST_F(SimulationTest, what_is_made_of_signals_in_memory_is_what_the_program_writes) {
  Simulation simulation(load(box));
  simulation.run();
  EXPECT_TRUE(nothing_was_written());
  const Outcome outcome = run_program_on(box, "out");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same(simulation.table("probe_spectra"), folder() / "out/probe_spectra.csv");
  EXPECT_FALSE(simulation.resonances().empty());
  EXPECT_EQ(simulation::csv_of(simulation.resonances()), content_of(folder() / "out/resonances.csv"));
}

TEST_F(SimulationTest, snapshots_are_handed_over_and_only_made_if_somebody_takes_them) {
  std::vector<dg::Snapshot> snapshots;
  Simulation simulation(load(guide), {.on_snapshot = [&](const dg::Snapshot& s) { snapshots.push_back(s); }});
  simulation.run();
  EXPECT_TRUE(nothing_was_written());
  ASSERT_EQ(run_program_on(guide, "out").exit_code, 0);
  ASSERT_EQ(snapshots.size(), 3U);
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    const dg::Snapshot& snapshot = snapshots[i];
    EXPECT_EQ(snapshot.series, "surface_fields");
    const std::filesystem::path file = folder() / ("out/surface_fields_00000" + std::to_string(i) + ".vtu");
    for (const dg::Snapshot::Quantity& quantity : snapshot.quantities) {
      const std::vector<double> written = read_vtu_array(file, quantity.name);
      ASSERT_EQ(written.size(), 3 * snapshot.points->size());
      for (std::size_t j = 0; j < written.size(); ++j) {
        ASSERT_EQ(quantity.components.at(j % 3).at(j / 3), written[j]) << quantity.name << " " << j;
      }
    }
    for (const dg::Point& point : *snapshot.points) EXPECT_EQ(point[2], 3);
  }
  EXPECT_EQ(snapshots.back().at, 120);
}

TEST_F(SimulationTest, fields_come_with_their_coordinates_by_name) {
  std::map<std::string, std::vector<dg::Snapshot>> snapshots;
  Simulation simulation(load(box), {.on_snapshot = [&](const dg::Snapshot& s) { snapshots[s.series].push_back(s); }});
  const std::vector<dg::Point> at = simulation.coordinates();
  ASSERT_EQ(at.size(), 48U * 20U);
  simulation.run();
  ASSERT_EQ(snapshots["fields"].size(), 3U);
  const dg::Snapshot& last = snapshots["fields"].back();
  EXPECT_EQ(*last.points, at);
  ASSERT_EQ(last.quantities.size(), 1U);
  EXPECT_EQ(last.quantities[0].components, simulation.fields({"Hx", "Hy", "Hz"}));
  ASSERT_EQ(snapshots["frequency_fields"].size(), 2U);
  EXPECT_EQ(snapshots["frequency_fields"][1].at, 0.7);
  EXPECT_EQ(snapshots["frequency_fields"][1].quantities.at(1).name, "E_im");
  try {
    (void)simulation.fields({"ex"});
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "'ex' is no field of these equations; did you mean 'Ex'?");
  }
}

TEST_F(SimulationTest, with_a_directory_it_leaves_the_files_of_the_program) {
  const std::vector<std::string> more{"--set", "checkpoint={steps: 100}"};
  const Outcome outcome = run_program_on(guide, "of_program", more);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const simulation::OutputDirectory directory(folder() / "out");
  Simulation simulation(load(guide, {more[1]}), {.directory = &directory});
  simulation.step(5);
  EXPECT_EQ(simulation.probes().rows(), 6U);
  simulation.run();
  EXPECT_NE(simulation.report().find("written to " + (folder() / "out").string()), std::string::npos);
  for (const auto& entry : std::filesystem::directory_iterator(folder() / "of_program")) {
    const std::string name = entry.path().filename().string();
    if (name == "run.log") continue;  // the program's
    EXPECT_TRUE(std::filesystem::exists(folder() / "out" / name)) << name;
    // These name the run, or say how long it took.
    if (name == "summary.json" || name == "config.resolved.yaml" || name.starts_with("checkpoint_")) continue;
    EXPECT_TRUE(content_of(entry.path()) == content_of(folder() / "out" / name)) << name;
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
