#include "apps/maxwell_dg/run.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "apps/config/load.hpp"
#include "apps/config/resolve.hpp"
#include "apps/failure.hpp"
#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/maxwell_dg/interrupt.hpp"
#include "apps/maxwell_dg/progress.hpp"
#include "apps/simulation/checks/mesh_warnings.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/directory/earlier_run.hpp"
#include "apps/simulation/directory/output_directory.hpp"
#include "apps/simulation/directory/resume.hpp"
#include "apps/simulation/directory/saved_run.hpp"
#include "apps/simulation/initial_state.hpp"
#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/outputs/observers.hpp"
#include "apps/simulation/outputs/probe_spectra.hpp"
#include "apps/simulation/outputs/resonances.hpp"
#include "apps/simulation/outputs/summary.hpp"
#include "apps/simulation/plan.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/rate.hpp"
#include "apps/simulation/stopwatch.hpp"
#include "apps/simulation/variant.hpp"
#include "core/atomic_file.hpp"
#include "core/log.hpp"
#include "core/utf8.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/operator/saved_state.hpp"
#include "dg/time/time_loop.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

void say_plan(const simulation::Plan& plan) {
  log_info("device: " + plan.device.info().name + (plan.device_reason.empty() ? "" : " (" + plan.device_reason + ")"));
  log_info(std::to_string(plan.discretization->K()) + " elements of order " + std::to_string(plan.discretization->N()) +
           ", " + std::to_string(plan.steps) + " steps");
  for (std::size_t p = 0; p < plan.ports.size(); ++p) {
    log_info("port " + plan.config.ports[p].name + ": " + simulation::describe_port(plan, p));
  }
}

void write_resolved_config(const simulation::Plan& plan) {
  const fs::path file = simulation::resolved_config_in(plan.config.outputs.directory);
  write_file_atomically(file,
                        simulation::run_lines(plan.run_id, plan.mesh_digest) + config::resolved_yaml(plan.config));
  const bool is_exact = is_utf8(plan.config.mesh.file.value_or("").string() + plan.config.outputs.directory.string());
  if (is_exact) return;
  log_warning(file.string() +
              ": the mesh's or the output directory's path is no UTF-8; its foreign bytes are replaced "
              "there, so put the path right before you run that config");
}

Progress::Options progress_options(const simulation::Plan& plan, const simulation::Observers& observers) {
  return {.steps = plan.steps,
          .first_step = plan.first_step,
          .stages = plan.method->stages(),
          .time_factor = plan.file_scaling.time,
          .time_unit = config::unit_in(plan.config.units, "s"),
          .energy_unit = config::unit_in(plan.config.units, "J"),
          .energy = &observers.energy(),
          .driven = simulation::driven_in_turn(plan)};
}

ExitCode simulate(config::Config config, const CommandLine& command, const simulation::OutputDirectory& outputs,
                  const simulation::Stopwatch& wall, const WarningCollector& warnings) {
  simulation::Plan plan = simulation::make_plan(std::move(config));
  plan.run_id = simulation::new_run_id();
  plan.mesh_digest = dg::digest(plan.discretization->mesh);
  const fs::path& directory = plan.config.outputs.directory;
  simulation::Resumption resumption = command.resume ? resume(plan, outputs) : simulation::Resumption{};
  if (resumption.is_finished) return ExitCode::done;
  std::optional<dg::FoundCheckpoint> resumed = std::move(resumption.from);
  say_plan(plan);
  simulation::warn_of_mesh(plan);
  simulation::warn_of_config(plan);

  simulation::Stopwatch watch;
  rtcg::Compiler compiler(plan.device);
  const std::optional<dg::Variant> before = resumed ? simulation::variant_before(plan, resumed->archive) : std::nullopt;
  const dg::Variant variant = before ? *before : simulation::choose_variant(plan, compiler);
  log_info("kernel variant: " + variant.schedule.name() + " (" + variant.origin + ")");
  plan.seconds.emplace_back("variant", watch.lap());
  dg::Operator op = simulation::make_operator(plan, compiler, variant.schedule);
  plan.seconds.emplace_back("operator", watch.lap());
  const std::optional<simulation::Formulas> reference = simulation::reference_solution(plan, op);
  simulation::set_initial_state(plan, op);
  const auto take_directory = [&](simulation::OutputDirectory::Results old) {
    outputs.remove_summary();
    outputs.remove_results(old);
    write_resolved_config(plan);
  };
  // The set-up is done: from here on, what is in the directory is of this run. A checkpoint that does not fit, which is
  // known once it is loaded, takes nothing from the results.
  if (!resumed) take_directory(simulation::OutputDirectory::Results::all);
  simulation::Observers observers(plan, op, resumed ? &resumed->archive : nullptr);
  if (resumed) {
    dg::load_state(op, resumed->archive);
    take_directory(simulation::OutputDirectory::Results::of_later_end);
  }
  std::vector<dg::Observer*> watching{&observers};
  std::optional<Progress> progress;
  if (!command.quiet) watching.push_back(&progress.emplace(progress_options(plan, observers)));
  resumed.reset();  // it holds a whole state
  plan.seconds.emplace_back("initial_state", watch.lap());

  simulation::Summary summary{.outcome = "done",
                              .kernel_variant = op.variant(),
                              .first_step = plan.first_step,
                              .setup_seconds = wall.seconds()};
  const InterruptGuard interrupt;  // from here on a signal ends the run with its outputs closed
  const dg::TimeLoop loop{.method = *plan.method,
                          .dt = plan.dt,
                          .steps = plan.steps,
                          .origin = plan.origin,
                          .first = plan.first_step,
                          .observers = std::move(watching),
                          .stop = InterruptGuard::stop_requested};
  std::exception_ptr divergence;
  try {
    // A signal after the last step takes nothing from the results.
    if (loop.run(op).step < plan.steps) summary.outcome = "interrupted";
  } catch (const DivergenceError&) {
    summary.outcome = "diverged";
    divergence = std::current_exception();
  }

  summary.loop_seconds = wall.seconds() - summary.setup_seconds;
  summary.steps = observers.now().step;
  // The end time as the user wrote it, without the rounding of two conversions.
  summary.time_end =
      summary.steps == plan.steps ? plan.config.end_time() : observers.now().time * plan.file_scaling.time;
  summary.compile = compiler.statistics();
  summary.initial_energy = observers.energy().initial();
  summary.final_energy = observers.energy().latest();
  summary.decays = simulation::decays(plan, observers);
  if (summary.outcome == "done") simulation::warn_of_truncation(plan, summary.decays);
  summary.radiated_power = observers.radiated_power();
  for (double& power : summary.radiated_power) power *= plan.file_scaling.energy / plan.file_scaling.time;
  summary.device_bytes = plan.device.peak_allocated_bytes();
  if (reference) summary.errors = simulation::reference_errors(plan, op, *reference, observers.now().time);
  // Nothing is measured here: dg_bench and --tune do that, and keep it.
  summary.ceilings = rtcg::find_ceilings(plan.device, rtcg::default_wisdom_directory());
  std::vector<std::string> files = observers.files();
  if (!divergence) std::ranges::move(simulation::write_resonances(plan), std::back_inserter(files));
  if (!divergence) std::ranges::move(simulation::write_probe_spectra(plan, summary.outcome), std::back_inserter(files));
  summary.warnings = warnings.warnings();
  summary.wall_seconds = wall.seconds();
  simulation::write_summary(summary, plan, directory / "summary.json");
  if (summary.outcome == "done") simulation::note_rate(plan, summary);
  if (divergence) std::rethrow_exception(divergence);
  log_info(simulation::summary_text(summary, plan, files));
  if (summary.outcome == "interrupted") log_info(simulation::how_to_go_on(plan));
  if (InterruptGuard::stop_requested() && summary.outcome == "done") {
    log_info("the signal came after the last step: the results are complete");
  }
  return InterruptGuard::exit_code();
}

}  // namespace

ExitCode run(const CommandLine& command) {
  const simulation::Stopwatch wall;
  const WarningCollector warnings;
  config::Config config = load_config(command);
  const simulation::OutputDirectory outputs(config.outputs.directory);
  if (!command.resume) outputs.remove_summary();
  const LogFile log(config.outputs.directory / "run.log",
                    command.resume ? LogFile::Mode::append : LogFile::Mode::replace);
  try {
    return simulate(std::move(config), command, outputs, wall, warnings);
  } catch (...) {
    return report_failure();  // here, where the log still listens
  }
}

}  // namespace maxwell_dg
