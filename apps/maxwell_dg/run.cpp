#include "apps/maxwell_dg/run.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/maxwell_dg/interrupt.hpp"
#include "apps/maxwell_dg/progress.hpp"
#include "apps/maxwell_dg/sweep.hpp"
#include "apps/ranks.hpp"
#include "apps/simulation/simulation.hpp"
#include "core/log.hpp"

namespace maxwell_dg {
namespace {

ExitCode simulate(config::Config config, const CommandLine& command, simulation::Options options) {
  if (config.sweep) return sweep(config, command, options);
  std::optional<Progress> progress;
  options.resume = command.resume;
  options.stop = InterruptGuard::stop_requested;
  options.log = [&progress](LogLevel level, std::string_view message) {
    if (progress) progress->clear_bar();
    log_message(level, message);
  };
  const core::Communicator ranks = options.ranks;
  simulation::Simulation simulation(std::move(config), std::move(options));
  if (simulation.has_ended()) return ExitCode::done;
  const InterruptGuard interrupt;  // from here on a signal ends the run with its outputs closed
  if (command.quiet || !ranks.is_first()) {
    simulation.run();
  } else {
    progress.emplace(simulation);
    simulation.run([&] { progress->show(); });
    progress->clear_bar();
  }
  log_info(simulation.report());
  if (InterruptGuard::stop_requested() && simulation.summary().outcome == "done") {
    log_info("the signal came after the last step: the results are complete");
  }
  return InterruptGuard::exit_code();
}

}  // namespace

ExitCode run(const CommandLine& command, const core::Communicator& ranks) {
  const simulation::Stopwatch clock;
  const WarningCollector warnings;
  config::Config config = load_config(command);
  warn_of_too_few_cores(ranks);
  if (!ranks.is_first()) {
    try {
      return simulate(std::move(config), command, {.ranks = ranks, .clock = clock, .warnings = warnings.warnings()});
    } catch (...) {
      return report_failure_of(ranks, warnings.warnings());
    }
  }
  const simulation::OutputDirectory directory(config.outputs.directory);
  const LogFile log(config.outputs.directory / "run.log",
                    command.resume ? LogFile::Mode::append : LogFile::Mode::replace);
  try {
    return simulate(std::move(config), command,
                    {.directory = &directory, .ranks = ranks, .clock = clock, .warnings = warnings.warnings()});
  } catch (...) {
    return report_failure_of(ranks, warnings.warnings());  // here, where the log still listens
  }
}

}  // namespace maxwell_dg
