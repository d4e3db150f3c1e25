#include "apps/maxwell_dg/sweep.hpp"

#include <optional>
#include <string>
#include <utility>

#include "apps/config/load.hpp"
#include "apps/maxwell_dg/interrupt.hpp"
#include "apps/simulation/directory/earlier_run.hpp"
#include "apps/simulation/sweep.hpp"
#include "apps/simulation/text.hpp"
#include "core/atomic_file.hpp"
#include "core/log.hpp"
#include "dg/observe/files/csv_file.hpp"

namespace maxwell_dg {
namespace {

void take_directory(const config::Config& config, const simulation::OutputDirectory& directory) {
  directory.remove_summary();
  directory.remove_results(simulation::OutputDirectory::Results::all);
  write_file_atomically(simulation::resolved_config_in(directory.path()), config::resolved_yaml(config));
}

/// Begins the file with the first table.
void add_rows(std::optional<dg::CsvFile>& file, const std::filesystem::path& path, const dg::Table& rcs) {
  if (!file) file.emplace(path, rcs.columns());
  for (std::size_t row = 0; row < rcs.rows(); ++row) {
    std::vector<double> values;
    for (const std::vector<double>& column : rcs.values()) values.push_back(column[row]);
    file->add_row(values);
  }
  file->flush();
}

}  // namespace

ExitCode sweep(const config::Config& config, const CommandLine& command, const simulation::Options& options) {
  if (command.resume) {
    throw ConfigError(config.blame("sweep", "cannot be resumed: run it again, with the angles that are missing"));
  }
  const std::vector<simulation::Incidence> all = simulation::incidences(config.sweep.value());
  std::optional<dg::CsvFile> file;
  const InterruptGuard interrupt;
  std::size_t done = 0;
  for (const simulation::Incidence& incidence : all) {
    simulation::Options of_one = options;
    of_one.directory = nullptr;
    of_one.stop = InterruptGuard::stop_requested;
    if (done > 0)
      of_one.log = [](LogLevel level, std::string_view text) {  // said once
        if (level != LogLevel::info) log_message(level, text);
      };
    simulation::Simulation run(simulation::config_of(config, incidence), std::move(of_one));
    if (done == 0 && options.directory != nullptr) take_directory(config, *options.directory);
    run.run();
    if (run.summary().outcome != "done") break;
    if (options.directory != nullptr) add_rows(file, options.directory->path() / "monostatic.csv", run.table("rcs"));
    ++done;
    log_info("angle " + std::to_string(done) + "/" + std::to_string(all.size()) + ": theta " +
             simulation::brief(incidence.theta) + ", phi " + simulation::brief(incidence.phi) + ", " +
             simulation::brief(run.summary().wall_seconds) + " s since the start");
  }
  if (options.directory != nullptr && file) {
    log_info("written to " + options.directory->path().string() + ": monostatic.csv");
  }
  return InterruptGuard::exit_code();
}

}  // namespace maxwell_dg
