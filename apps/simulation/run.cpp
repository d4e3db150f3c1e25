#include "apps/simulation/run.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "apps/config/load.hpp"
#include "apps/config/materials/loss_tangent.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/directory/earlier_run.hpp"
#include "apps/simulation/directory/resume.hpp"
#include "apps/simulation/directory/saved_run.hpp"
#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/outputs/probe_spectra.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/rate.hpp"
#include "apps/simulation/variant.hpp"
#include "core/atomic_file.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/observe/files/file_sink.hpp"
#include "dg/observe/files/rank_sink.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::simulation {
namespace {

/// Collective.
void say_plan(const Plan& plan) {
  log_info("device: " + plan.device.info().name + (plan.device_reason.empty() ? "" : " (" + plan.device_reason + ")"));
  log_info(core::counted(plan.whole.elements, "element", "elements") + " of order " +
           std::to_string(plan.discretization->N()) + ", " + (plan.end_rule ? "at most " : "") +
           core::counted(plan.steps, "step", "steps"));
  if (const std::vector<RankRow> rows = rank_rows(plan); !rows.empty()) {
    for (const std::string& line : describe_partition(plan, rows)) log_info(line);
  }
  if (plan.pml) log_info("PML: " + describe_pml(plan));
  for (const auto& [what, text] : config::describe_loss_tangents(plan.config)) log_info(what + ": " + text);
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

/// Throws ConfigError where ranks have read other configs or meshes, or are of other versions.
void require_same(const Plan& plan) {
  const std::string mine = config::resolved_yaml(plan.config) + plan.mesh_digest +
                           std::string(dg::kernel_texts_digest()) + std::string(core::version()) +
                           std::string(core::name_of(plan.device.info().backend));
  const std::string first = plan.ranks.broadcast(mine);
  std::vector<double> differs(static_cast<std::size_t>(plan.ranks.size()));
  differs[static_cast<std::size_t>(plan.ranks.rank())] = mine == first ? 0 : 1;
  plan.ranks.max(differs);
  const auto other = std::ranges::find(differs, 1.0);
  if (other == differs.end()) return;
  throw ConfigError(
      plan.config.outputs.directory.string() + ": rank " + std::to_string(other - differs.begin()) +
      " has another config, mesh, kind of device or version of this program than rank 0; start all of them"
      " with the same files and kind of device, on all hosts");
}

/// All ranks end, or go on, as the first one does. Throws OutputError where one has found another checkpoint.
void agree(const Plan& plan, Resumption& resumption) {
  if (plan.ranks.size() == 1) return;
  const std::string mine = (resumption.is_finished ? "finished " : "") + std::to_string(plan.first_step);
  const std::string first = plan.ranks.broadcast(mine);
  if (first == mine) return;
  const bool has_found = resumption.is_finished || resumption.from;
  resumption.is_finished = first.starts_with("finished ");
  if (!has_found && resumption.is_finished) return;  // what the first one alone looks for: results without a checkpoint
  throw OutputError(plan.config.outputs.directory.string() + ": rank " + std::to_string(plan.ranks.rank()) +
                    " does not see the newest checkpoint that rank 0 sees; wait until all hosts see the same files");
}

/// Collective.
std::unique_ptr<dg::Sink> sink_for(const Options& options) {
  const std::string files = options.directory != nullptr ? options.directory->path().string() : "";
  const std::string directory = options.ranks.broadcast(files);
  const bool wants_snapshots = !options.ranks.broadcast(options.on_snapshot ? "yes" : files).empty();
  if (!options.ranks.is_first()) {
    const auto path = directory.empty() ? std::nullopt : std::optional<std::filesystem::path>(directory);
    return std::make_unique<dg::RankSink>(options.ranks, path, wants_snapshots);
  }
  if (options.directory != nullptr) return std::make_unique<dg::FileSink>(options.directory->path(), options.ranks);
  return std::make_unique<dg::MemorySink>(options.on_snapshot);
}

}  // namespace

Simulation::Run::Run(config::Config config, Options options)
    : options_(std::move(options)),
      stop_(options_.ranks, options_.stop),
      warnings_(options_.warnings),
      of_ranks_(options_.ranks),
      results_(sink_for(options_)) {
  if (options_.directory != nullptr && !options_.ranks.is_first()) {
    throw std::invalid_argument("Simulation: the first rank alone has the directory");
  }
  if (options_.resume && options_.directory == nullptr && options_.ranks.is_first()) {
    throw std::invalid_argument("Simulation: a run is resumed from a directory, and there is none");
  }
  if (options_.on_snapshot && options_.directory != nullptr) {
    throw std::invalid_argument("Simulation: snapshots go to the files of the directory; nobody is called with them");
  }
  if (options_.plan && options_.ranks.size() > 1) {
    throw std::invalid_argument("Simulation: several ranks make their plans together");
  }
  const LogScope scope = listen();
  prepare(std::move(config));
}

Simulation::Run::~Run() {
  const LogScope scope = listen();
  try {
    if (!has_ended_ && options_.directory != nullptr && options_.ranks.size() == 1) end(nullptr);
  } catch (const std::exception& error) {
    log_error(error.what());
  }
  prepared_.reset();  // here, where somebody hears what is lost with it
}

/// What is said meanwhile goes to the options' log; warnings are kept for the summary.
LogScope Simulation::Run::listen() {
  return LogScope([this](LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) warnings_.emplace_back(message);
    options_.log ? options_.log(level, message) : log_message(level, message);
  });
}

void Simulation::Run::prepare(config::Config config) {
  if (config.sweep) refuse(config, "sweep", "is many runs, which the program makes; a Simulation is one (sweep.hpp)");
  if (options_.directory != nullptr) {
    config.outputs.directory = options_.directory->path();
    if (!options_.resume) options_.directory->remove_summary();
  }
  // Without files somebody may ask for fields, which are those of the whole mesh.
  const bool has_files = results_->directory() != nullptr;
  if (options_.plan) {
    plan_ = std::move(*std::exchange(options_.plan, nullptr));
    plan_.config.outputs.directory = config.outputs.directory;
  } else {
    plan_ = make_plan(std::move(config), options_.ranks, has_files ? MeshIs::part_if_large : MeshIs::whole,
                      options_.discretization);
  }
  plan_.run_id = options_.ranks.broadcast(new_run_id());
  plan_.mesh_digest = dg::digest_of_all(*plan_.discretization, plan_.ranks_with_parts());
  require_same(plan_);
  Resumption resumption = options_.resume ? resume(plan_, options_.directory) : Resumption{};
  agree(plan_, resumption);
  now_ = {.step = plan_.first_step, .time = plan_.time(plan_.first_step)};
  if (resumption.is_finished) {
    has_ended_ = true;
    return;
  }
  say_plan(plan_);
  warn_of_plan(plan_);
  if (results_->directory() == nullptr && plan_.config.checkpoint) {
    warn(plan_.config, "checkpoint", "results stay in memory, so there will be no checkpoints");
    plan_.config.checkpoint.reset();
  }

  Stopwatch watch;
  compiler_.emplace(plan_.device);
  const dg::Archive* resumed = resumption.from ? &resumption.from->archive : nullptr;
  const bool goes_on = resumed != nullptr && options_.ranks.is_first();
  const auto [variant, curved] =
      choose_variants(plan_, *compiler_, goes_on ? variant_before(plan_, *resumed) : std::nullopt);
  log_info("kernel variant: " + variant.schedule.name() + " (" + variant.origin + ")");
  if (!curved.empty()) log_info("kernel variant of curved elements: " + rtcg::written(curved));
  plan_.seconds.emplace_back("variant", watch.lap());
  prepared_.emplace(plan_, *compiler_, variant.schedule, curved);
  if (const auto transport = prepared_->op().transport()) {
    log_info("ranks exchange traces by " + std::string(name_of(*transport)));
  }
  // The set-up is done: from here on, what is in the directory is of this run. A checkpoint that does not fit, which is
  // known once it is loaded, takes nothing from the results.
  if (resumed == nullptr) take_directory(OutputDirectory::Results::all);
  prepared_->watch(*results_, resumed);
  if (resumed != nullptr) take_directory(OutputDirectory::Results::of_later_end);
  of_ranks_.tell(warnings_);
  setup_seconds_ = options_.clock.seconds();
}

void Simulation::Run::take_directory(OutputDirectory::Results old) const {
  if (options_.directory == nullptr) return;
  if (options_.resume) options_.directory->remove_summary();  // otherwise `prepare` has removed it
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
          .stop = [this] { return stop_(); }};
}

long Simulation::Run::step(long count, const std::function<void()>& after_step) {
  if (has_ended_) return 0;
  const LogScope scope = listen();
  const Stopwatch watch;
  const dg::TimeLoop loop = this->loop();
  long made = 0;
  std::exception_ptr error;
  try {
    const bool begins = !std::exchange(has_begun_, true);
    if (begins) loop.begin(prepared_->op());
    if (after_step) after_step();
    if (begins && plan_.first_step > 0) look_at_decay();  // it was saved before that
    while (made < count && !is_at_end()) {
      const long before = now_.step;
      long last = before + std::min(count - made, plan_.steps - before);
      if (after_step) last = std::min(last, before + 1);
      if (const Ending* ending = prepared_->observers().ending()) last = std::min(last, ending->next_look(before));
      loop.advance(prepared_->op(), now_, last);
      made += now_.step - before;
      if (after_step && now_.step > before) after_step();
      if (now_.step < last) break;  // stopped
      look_at_decay();
    }
  } catch (...) {
    error = std::current_exception();
  }
  loop_seconds_ += watch.seconds();
  made_ += made;
  if (error != nullptr || is_at_end()) end(error);
  return made;
}

bool Simulation::Run::is_at_end() const {
  const Ending* ending = prepared_->observers().ending();
  return now_.step == plan_.steps || (ending != nullptr && ending->is_over());
}

/// Collective.
void Simulation::Run::look_at_decay() {
  Observers& observers = prepared_->observers();
  Ending* ending = observers.ending();
  if (ending == nullptr || !ending->is_due(now_)) return;
  observers.bring_levels(prepared_->op(), now_);
  double level = -std::numeric_limits<double>::infinity();
  if (plan_.ranks.is_first()) level = decays(plan_, observers).at(ending->turn_at(now_.time)).highest_db();
  plan_.ranks.max({&level, 1});
  now_ = ending->look(now_, level);
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

void Simulation::Run::change_media(const MediaValues& values) {
  if (has_ended_) throw ConfigError("the medium cannot be changed: the run has ended");
  const LogScope scope = listen();
  simulation::change_media(plan_, prepared_->op(), values);
}

void Simulation::Run::flush() {
  if (has_ended_) return;
  const LogScope scope = listen();
  prepared_->observers().flush(prepared_->op(), now_);
}

}  // namespace maxwell_dg::simulation
