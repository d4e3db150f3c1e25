#include "apps/simulation/simulation.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include "apps/config/load.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/directory/earlier_run.hpp"
#include "apps/simulation/directory/resume.hpp"
#include "apps/simulation/directory/saved_run.hpp"
#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/outputs/probe_spectra.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/prepared.hpp"
#include "apps/simulation/rate.hpp"
#include "apps/simulation/variant.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"
#include "core/utf8.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/observe/files/file_sink.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::simulation {
namespace {

void say_plan(const Plan& plan) {
  log_info("device: " + plan.device.info().name + (plan.device_reason.empty() ? "" : " (" + plan.device_reason + ")"));
  log_info(std::to_string(plan.discretization->K()) + " elements of order " + std::to_string(plan.discretization->N()) +
           ", " + std::to_string(plan.steps) + " steps");
  for (std::size_t p = 0; p < plan.ports.size(); ++p) {
    log_info("port " + plan.config.ports[p].name + ": " + describe_port(plan, p));
  }
}

void write_resolved_config(const Plan& plan) {
  const std::filesystem::path file = resolved_config_in(plan.config.outputs.directory);
  write_file_atomically(file, run_lines(plan.run_id, plan.mesh_digest) + config::resolved_yaml(plan.config));
  const bool is_exact = is_utf8(plan.config.mesh.file.value_or("").string() + plan.config.outputs.directory.string());
  if (is_exact) return;
  log_warning(file.string() +
              ": the mesh's or the output directory's path is no UTF-8; its foreign bytes are replaced "
              "there, so put the path right before you run that config");
}

std::unique_ptr<dg::Sink> sink_for(const Options& options) {
  if (options.directory != nullptr) return std::make_unique<dg::FileSink>(options.directory->path());
  return std::make_unique<dg::MemorySink>(options.on_snapshot);
}

}  // namespace

/// Stays where it is, for its parts refer to each other.
class Simulation::Run {
 public:
  Run(config::Config config, Options options)
      : options_(std::move(options)), warnings_(options_.warnings), results_(sink_for(options_)) {
    const LogScope scope = listen();
    prepare(std::move(config));
  }
  ~Run() {
    if (has_ended_ || options_.directory == nullptr) return;
    const LogScope scope = listen();
    try {
      end(nullptr);
    } catch (const std::exception& error) {
      log_error(error.what());
    }
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  long step(long count, const std::function<void()>& after_step);
  void finish();
  void flush();
  [[nodiscard]] std::vector<std::vector<double>> fields(const std::vector<std::string>& names) const;

  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const dg::Moment& now() const { return now_; }
  /// Throws where there is nothing to do, and nothing was made ready.
  [[nodiscard]] Prepared& prepared() {
    if (!prepared_) throw std::logic_error("this run was finished before: nothing is computed");
    return *prepared_;
  }
  [[nodiscard]] const dg::Sink& results() const { return *results_; }
  [[nodiscard]] const std::vector<ProbeResonance>& resonances() const { return resonances_; }
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  [[nodiscard]] const Summary& summary() const {
    if (!summary_) throw std::logic_error("there is a summary only of a run that has ended without an error");
    return *summary_;
  }

 private:
  [[nodiscard]] LogScope listen();
  void prepare(config::Config config);
  void take_directory(OutputDirectory::Results old) const;
  [[nodiscard]] dg::TimeLoop loop();
  void end(std::exception_ptr error);
  void make_last_results(const std::string& outcome);
  void sum_up(std::string outcome);

  Options options_;
  std::vector<std::string> warnings_;
  std::unique_ptr<dg::Sink> results_;
  Plan plan_;
  std::optional<rtcg::Compiler> compiler_;
  std::optional<Prepared> prepared_;
  dg::Moment now_;
  bool has_begun_ = false, has_ended_ = false;
  double setup_seconds_ = 0, loop_seconds_ = 0;
  std::vector<ProbeResonance> resonances_;
  std::vector<std::string> files_;
  std::optional<Summary> summary_;
};

/// What is said meanwhile goes to the options' log; warnings are kept for the summary.
LogScope Simulation::Run::listen() {
  return LogScope([this](LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) warnings_.emplace_back(message);
    options_.log ? options_.log(level, message) : log(level, message);
  });
}

void Simulation::Run::prepare(config::Config config) {
  if (options_.directory != nullptr) config.outputs.directory = options_.directory->path();
  plan_ = make_plan(std::move(config));
  plan_.run_id = new_run_id();
  plan_.mesh_digest = dg::digest(plan_.discretization->mesh);
  Resumption resumption =
      options_.resume && options_.directory != nullptr ? resume(plan_, *options_.directory) : Resumption{};
  now_ = {.step = plan_.first_step, .time = plan_.time(plan_.first_step)};
  if (resumption.is_finished) {
    has_ended_ = true;
    return;
  }
  say_plan(plan_);
  warn_of_plan(plan_);
  if (options_.directory == nullptr && plan_.config.checkpoint) {
    warn(plan_.config, "checkpoint", "results stay in memory, so there will be no checkpoints");
  }

  Stopwatch watch;
  compiler_.emplace(plan_.device);
  const dg::Archive* resumed = resumption.from ? &resumption.from->archive : nullptr;
  const std::optional<dg::Variant> before = resumed != nullptr ? variant_before(plan_, *resumed) : std::nullopt;
  const dg::Variant variant = before ? *before : choose_variant(plan_, *compiler_);
  log_info("kernel variant: " + variant.schedule.name() + " (" + variant.origin + ")");
  plan_.seconds.emplace_back("variant", watch.lap());
  prepared_.emplace(plan_, *compiler_, variant.schedule);
  // The set-up is done: from here on, what is in the directory is of this run. A checkpoint that does not fit, which is
  // known once it is loaded, takes nothing from the results.
  if (resumed == nullptr) take_directory(OutputDirectory::Results::all);
  prepared_->watch(*results_, resumed);
  if (resumed != nullptr) take_directory(OutputDirectory::Results::of_later_end);
  setup_seconds_ = options_.clock.seconds();
}

void Simulation::Run::take_directory(OutputDirectory::Results old) const {
  if (options_.directory == nullptr) return;
  options_.directory->remove_summary();
  options_.directory->remove_results(old);
  write_resolved_config(plan_);
}

dg::TimeLoop Simulation::Run::loop() {
  return {.method = *plan_.method,
          .dt = plan_.dt,
          .steps = plan_.steps,
          .origin = plan_.origin,
          .first = plan_.first_step,
          .observers = {&prepared_->observers()},
          .stop = options_.stop};
}

long Simulation::Run::step(long count, const std::function<void()>& after_step) {
  if (has_ended_) return 0;
  const LogScope scope = listen();
  const Stopwatch watch;
  const dg::TimeLoop loop = this->loop();
  const long before = now_.step, last = before + std::min(count, plan_.steps - before);
  std::exception_ptr error;
  try {
    if (!std::exchange(has_begun_, true)) loop.begin(prepared_->op());
    if (!after_step) {
      loop.advance(prepared_->op(), now_, last);
    } else {
      after_step();
      for (long step = before; step < last && now_.step == step; ++step) {
        loop.advance(prepared_->op(), now_, step + 1);
        if (now_.step > step) after_step();
      }
    }
  } catch (...) {
    error = std::current_exception();
  }
  loop_seconds_ += watch.seconds();
  if (error != nullptr || now_.step == plan_.steps) end(error);
  return now_.step - before;
}

void Simulation::Run::finish() {
  if (has_ended_) return;
  const LogScope scope = listen();
  std::exception_ptr error;
  try {
    if (!std::exchange(has_begun_, true)) loop().begin(prepared_->op());
  } catch (...) {
    error = std::current_exception();
  }
  end(error);
}

/// Observers finish, whatever has happened. A run that diverged has a summary, too.
void Simulation::Run::end(std::exception_ptr error) {
  has_ended_ = true;
  std::string outcome = now_.step == plan_.steps ? "done" : "interrupted";
  std::exception_ptr divergence;
  const Stopwatch watch;
  try {
    dg::finish_all(loop().observers, prepared_->op(), now_, std::move(error));
  } catch (const DivergenceError&) {
    outcome = "diverged";
    divergence = std::current_exception();
  }
  loop_seconds_ += watch.seconds();
  sum_up(std::move(outcome));
  if (divergence != nullptr) std::rethrow_exception(divergence);
}

/// Those that are made of others.
void Simulation::Run::make_last_results(const std::string& outcome) {
  files_ = prepared_->observers().files();
  if (outcome == "diverged") return;
  if (plan_.config.outputs.resonances) {
    if (auto found = find_resonances(plan_, results_->table("probes"))) {
      resonances_ = std::move(*found);
      results_->put_text("resonances.csv", csv_of(resonances_));
      files_.emplace_back("resonances.csv");
    }
  }
  if (const auto spectra = probe_spectra(plan_, outcome, *results_)) {
    results_->put_table("probe_spectra", *spectra);
    files_.emplace_back("probe_spectra.csv");
  }
}

void Simulation::Run::sum_up(std::string outcome) {
  const Observers& observers = prepared_->observers();
  Summary summary{.outcome = std::move(outcome),
                  .kernel_variant = prepared_->op().variant(),
                  .steps = now_.step,
                  .first_step = plan_.first_step,
                  .setup_seconds = setup_seconds_,
                  .loop_seconds = loop_seconds_,
                  .compile = compiler_->statistics(),
                  .initial_energy = observers.energy().initial(),
                  .final_energy = observers.energy().latest(),
                  .decays = decays(plan_, observers)};
  // The end time as the user wrote it, without the rounding of two conversions.
  summary.time_end =
      now_.step == plan_.steps ? plan_.config.end_time() : observers.now().time * plan_.file_scaling.time;
  if (summary.outcome == "done") warn_of_truncation(plan_, summary.decays);
  summary.radiated_power = observers.radiated_power();
  for (double& power : summary.radiated_power) power *= plan_.file_scaling.energy / plan_.file_scaling.time;
  summary.device_bytes = plan_.device.peak_allocated_bytes();
  if (prepared_->reference()) {
    summary.errors = reference_errors(plan_, prepared_->op(), *prepared_->reference(), observers.now().time);
  }
  // Nothing is measured here: dg_bench and --tune do that, and keep it.
  summary.ceilings = rtcg::find_ceilings(plan_.device, rtcg::default_wisdom_directory());
  make_last_results(summary.outcome);
  summary.warnings = warnings_;
  summary.wall_seconds = options_.clock.seconds();
  if (const auto* directory = results_->directory()) write_summary(summary, plan_, *directory / "summary.json");
  if (summary.outcome == "done") note_rate(plan_, summary);
  summary_ = std::move(summary);
}

void Simulation::Run::flush() {
  if (has_ended_) return;
  const LogScope scope = listen();
  prepared_->observers().flush(prepared_->op(), now_);
}

std::vector<std::vector<double>> Simulation::Run::fields(const std::vector<std::string>& names) const {
  const std::vector<std::string>& known = plan_.problem.system.fields;
  std::vector<std::size_t> wanted;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      throw ConfigError("'" + name + "' is no field of these equations" + core::did_you_mean(name, known));
    }
    wanted.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  const auto Np = static_cast<std::size_t>(plan_.discretization->Np());
  const std::size_t K = plan_.discretization->K(), stride = known.size() * Np;
  std::vector<std::vector<double>> values(names.size(), std::vector<double>(K * Np));
  prepared_->op().get_state([&](std::size_t first, std::span<const double> q) {
    for (std::size_t w = 0; w < wanted.size(); ++w) {
      const double factor = plan_.file_scaling.field(static_cast<int>(wanted[w]));
      for (std::size_t k = 0; k < q.size() / stride; ++k) {
        const std::span<const double> nodes = q.subspan(k * stride + wanted[w] * Np, Np);
        std::ranges::transform(nodes, values[w].begin() + static_cast<std::ptrdiff_t>((first + k) * Np),
                               [&](double value) { return value * factor; });
      }
    }
  });
  return values;
}

Simulation::Simulation(config::Config config, Options options)
    : run_(std::make_unique<Run>(std::move(config), std::move(options))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

long Simulation::step(long count) {
  return run_->step(count, {});
}

const Summary& Simulation::run(const std::function<void()>& after_step) {
  run_->step(std::numeric_limits<long>::max(), after_step);
  return finish();
}

const Summary& Simulation::finish() {
  run_->finish();
  return run_->summary();
}

bool Simulation::has_ended() const {
  return run_->has_ended();
}

long Simulation::steps() const {
  return run_->now().step;
}

double Simulation::time() const {
  return run_->now().time * plan().file_scaling.time;
}

const Plan& Simulation::plan() const {
  return run_->plan();
}

double Simulation::energy() const {
  return run_->prepared().observers().energy().latest();
}

void Simulation::synchronize() {
  run_->prepared().op().stream().synchronize();
}

const std::vector<std::string>& Simulation::field_names() const {
  return plan().problem.system.fields;
}

std::vector<std::vector<double>> Simulation::fields(const std::vector<std::string>& names) const {
  (void)run_->prepared();
  return run_->fields(names);
}

std::vector<dg::Point> Simulation::coordinates() const {
  return plan().discretization->nodes();
}

dg::Table Simulation::probes() {
  return table("probes");
}

dg::Table Simulation::energies() {
  return table("energy");
}

dg::Table Simulation::table(const std::string& name) {
  run_->flush();
  return run_->results().table(name);
}

std::optional<dg::Network> Simulation::s_parameters() const {
  return run_->prepared().observers().network();
}

const std::vector<ProbeResonance>& Simulation::resonances() const {
  return run_->resonances();
}

const Summary& Simulation::summary() const {
  return run_->summary();
}

std::string Simulation::report() const {
  std::string text = summary_text(summary(), plan());
  if (const auto* directory = run_->results().directory()) {
    text += "\nwritten to " + directory->string() + ": summary.json";
    for (const std::string& file : run_->files()) text += ", " + file;
    if (summary().outcome == "interrupted") text += "\n" + how_to_go_on(plan());
  }
  return text;
}

}  // namespace maxwell_dg::simulation
