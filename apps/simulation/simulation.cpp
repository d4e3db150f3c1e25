#include "apps/simulation/simulation.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

#include "apps/simulation/changed_media.hpp"
#include "apps/simulation/directory/resume.hpp"
#include "apps/simulation/run.hpp"

namespace maxwell_dg::simulation {

namespace {

void require_whole(const Plan& plan) {
  if (plan.is_part)
    throw std::logic_error("Simulation: a rank that has read a slice of the mesh has a part of it alone");
}

}  // namespace

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

std::optional<double> Simulation::energy() const {
  return run_->prepared().observers().energy().latest();
}

std::optional<DecayStatus> Simulation::decay() const {
  const Observers& observers = run_->prepared().observers();
  const Ending* ending = observers.ending();
  if (ending == nullptr) return std::nullopt;
  const Decay now = decays(plan(), observers).at(ending->turn_at(run_->now().time));
  DecayStatus status{.level_db = now.highest_db(), .wanted_db = plan().end_rule->wanted_db, .time_left = {}};
  if (const auto left = ending->time_left()) status.time_left = *left * plan().file_scaling.time;
  return status;
}

void Simulation::synchronize() {
  run_->prepared().op().stream().synchronize();
}

const std::vector<std::string>& Simulation::field_names() const {
  return plan().problem.system.fields;
}

std::vector<std::vector<double>> Simulation::fields(const std::vector<std::string>& names) const {
  (void)run_->prepared();
  require_whole(plan());
  return run_->fields(names);
}

std::vector<double> Simulation::field(const std::string& name) const {
  return std::move(fields({name}).front());
}

std::unique_ptr<dg::FieldValues> Simulation::share_fields(const std::vector<std::string>& names) const {
  dg::FieldsByFactors fields;
  for (const std::size_t field : run_->numbers_of(names)) {
    fields.fields.push_back(static_cast<int>(field));
    fields.factors.push_back(plan().file_scaling.field(fields.fields.back()));
  }
  return run_->prepared().op().share_fields(std::move(fields));
}

std::vector<dg::Point> Simulation::coordinates() const {
  require_whole(plan());
  return plan().discretization->nodes();
}

std::vector<double> Simulation::medium(const std::string& constant) const {
  require_whole(plan());
  return media_of(plan(), constant);
}

void Simulation::change_media(const std::map<std::string, std::vector<double>>& values) {
  run_->change_media(values);
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
