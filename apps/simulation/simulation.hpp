#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/simulation/directory/output_directory.hpp"
#include "apps/simulation/outputs/resonances.hpp"
#include "apps/simulation/outputs/summary.hpp"
#include "apps/simulation/plan.hpp"
#include "apps/simulation/stopwatch.hpp"
#include "core/log.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/observe/files/memory_sink.hpp"
#include "dg/observe/files/touchstone.hpp"
#include "dg/operator/field_values.hpp"

/// A run of a config as a library: in memory or with files, step by step or at once.
///
///     Simulation simulation(config::load_config("horn.yaml"));
///     simulation.run();
///     simulation.probes().column("feed.Ez");
namespace maxwell_dg::simulation {

struct Options {
  /// Where the files go: of a run like one of the program, with the same files. It must outlive the simulation. Null:
  /// results stay in memory and no file is written; then the config's `checkpoint` is left out, with a warning.
  const OutputDirectory* directory{};
  /// Those that compute the run together; each makes a Simulation of the same config. The first one alone has the
  /// directory (into which others write the fields of their elements), tables and other results, and is called with
  /// snapshots. What a rank calls, all call, in the same order.
  core::Communicator ranks{};
  /// Of this very config, made by make_plan with the whole mesh, for one rank: it is taken, and nothing is planned
  /// twice.
  std::shared_ptr<Plan> plan{};
  /// Of the plan of another simulation with the whole of the same mesh, order and PML: the mesh is not read again.
  std::shared_ptr<const dg::Discretization> discretization{};
  /// Goes on from the newest checkpoint in the directory.
  bool resume = false;
  /// Takes what is said to people, from the thread that calls or one that it waits for; must not throw. Empty: it goes
  /// to stderr. Errors are not said but thrown.
  LogSink log{};
  /// Asked before each step, of several ranks some times a second: true, on any of them, ends `step` and `run` early.
  std::function<bool()> stop{};
  /// In memory, takes the snapshots of outputs.fields, surface_fields and frequency_fields, within `step` and `run`.
  /// Empty: none are made.
  std::function<void(const dg::Snapshot&)> on_snapshot{};
  /// What the summary's wall-clock time counts from.
  Stopwatch clock{};
  /// Listed in the summary before those of the simulation.
  std::vector<std::string> warnings{};
};

/// How far fields have died away while a run goes on, that of the port that is driven now.
struct DecayStatus {
  double level_db{}, wanted_db{};
  std::optional<double> time_left{};  ///< until the level is reached, if it falls as it did lately
};

/// One run. Quantities are in the config's units. Several may live at a time, also on one device; each is used by one
/// thread at a time.
///
/// Errors are thrown by type: ConfigError, MeshError, DeviceError, DivergenceError, OutputError. After one of them the
/// run has ended: `step` does nothing, and what had been found until then can still be read.
class Simulation {
 public:
  /// Makes everything ready for the first step: device, mesh, kernels (it may tune them first), initial fields. Throws
  /// std::invalid_argument for options that contradict each other.
  explicit Simulation(config::Config config, Options options = {});
  /// A run with files that has not ended is ended here, as by `finish`; an error is said, not thrown.
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Makes so many steps, or fewer where `stop` or the end of the run is before that. Returns how many. The last step
  /// of the run ends it, as `finish` does.
  long step(long count = 1);
  /// All steps that are left, then `finish`. `after_step` is called before the first step, and after each.
  const Summary& run(const std::function<void()>& after_step = {});
  /// Ends the run, before its last step or after it: makes the results that belong to the end, and the summary. Once.
  const Summary& finish();

  /// Has the run ended? With Options::resume also where it had been finished before, and there is nothing to do.
  [[nodiscard]] bool has_ended() const;
  /// Where the run stands: steps done, with those that driven ports have left out (time.until), and the time that the
  /// fields belong to.
  [[nodiscard]] long steps() const;
  [[nodiscard]] double time() const;
  /// What is computed: number of steps, time step, device, mesh, equations ... in the units inside.
  [[nodiscard]] const Plan& plan() const;
  /// The latest energy that has arrived from the device, none before; `synchronize` first to have it of the latest
  /// steps. Several ranks sum up many at a time.
  [[nodiscard]] std::optional<double> energy() const;
  /// Of a run with time.until, on the first rank: how far its fields have died away; else none.
  [[nodiscard]] std::optional<DecayStatus> decay() const;
  /// Waits until the device has done all steps that were asked for.
  void synchronize();

  /// Names of the fields: "Ex" ...
  [[nodiscard]] const std::vector<std::string>& field_names() const;
  /// [name][element][node] Nodal values now. Of complex fields, plan().discretization->complex_view tells which
  /// elements hold which part. Throws ConfigError for a field that the equations do not have, std::logic_error in a run
  /// with files whose mesh is read by slices (mesh.slices_above).
  [[nodiscard]] std::vector<std::vector<double>> fields(const std::vector<std::string>& names) const;
  [[nodiscard]] std::vector<double> field(const std::string& name) const;
  /// The same in memory of the device that others may read in place, [name][element][node] in the run's precision; zero
  /// until its `update`. To be called between steps. The memory may outlive the simulation, the object may not. Throws
  /// UnsupportedFeature for OpenCL devices that are no CPUs, std::invalid_argument with several ranks.
  [[nodiscard]] std::unique_ptr<dg::FieldValues> share_fields(const std::vector<std::string>& names) const;
  /// [element][node] Where these are.
  [[nodiscard]] std::vector<dg::Point> coordinates() const;

  /// [element] The values now of a constant of the media, "epsilon_r". Throws ConfigError for one that the equations do
  /// not have.
  [[nodiscard]] std::vector<double> medium(const std::string& constant) const;
  /// Gives the media other constants between two steps, [element] by their names: apps/simulation/changed_media.hpp.
  void change_media(const std::map<std::string, std::vector<double>>& values);

  /// Results that grow while the run goes on, up to now. Throws ConfigError where the config does not ask for them.
  [[nodiscard]] dg::Table probes();
  [[nodiscard]] dg::Table energies();
  /// Any table, by the name of its file: "balance", and of a run that has ended "port_waves", "rcs", "radiation",
  /// "probe_spectra". Throws ConfigError where there is none.
  [[nodiscard]] dg::Table table(const std::string& name);
  /// Of outputs.s_parameters, once the run has ended, if every port was driven.
  [[nodiscard]] std::optional<dg::Network> s_parameters() const;
  /// Of outputs.resonances, once the run has ended.
  [[nodiscard]] const std::vector<ProbeResonance>& resonances() const;
  /// Of a run that has ended. Throws std::logic_error before, and where there is none: an error ended it, or there was
  /// nothing to do.
  [[nodiscard]] const Summary& summary() const;
  /// The same in a few lines for people.
  [[nodiscard]] std::string report() const;

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace maxwell_dg::simulation
