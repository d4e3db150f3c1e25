#include <algorithm>
#include <utility>

#include "apps/simulation/blame.hpp"
#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/outputs/probe_spectra.hpp"
#include "apps/simulation/outputs/shielding.hpp"
#include "apps/simulation/rate.hpp"
#include "apps/simulation/run.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"
#include "rtcg/tune/wisdom.hpp"

// What comes of a run: its end, its summary, and fields for a caller.

namespace maxwell_dg::simulation {

namespace {

/// "decay" where the fields had died away in each turn.
std::string ended_by(const Ending* ending) {
  if (ending == nullptr) return "time";
  return std::ranges::all_of(ending->ends(), [](const auto& end) { return end.has_value(); }) ? "decay" : "at_most";
}

/// A divergence is seen by all ranks at the same step.
bool is_divergence(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const DivergenceError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

/// Observers finish, whatever has happened. A run that diverged has a summary, too.
void Simulation::Run::end(std::exception_ptr error) {
  has_ended_ = true;
  // An error of this rank alone: others are not where this one is, so nothing collective can follow.
  if (error != nullptr && plan_.ranks.size() > 1 && !is_divergence(error)) std::rethrow_exception(error);
  std::string outcome = is_at_end() ? "done" : "interrupted";
  std::exception_ptr divergence;
  const Stopwatch watch;
  if (outcome == "done" && now_.step < plan_.steps) prepared_->observers().complete();
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
  if (outcome == "diverged" || !plan_.ranks.is_first()) return;
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
    if (const auto table = shielding(plan_, *spectra)) {
      results_->put_table("shielding", *table);
      files_.emplace_back("shielding.csv");
    }
  }
}

void Simulation::Run::sum_up(std::string outcome) {
  const Observers& observers = prepared_->observers();
  Summary summary{.outcome = std::move(outcome),
                  .kernel_variant = prepared_->op().variant(),
                  .steps = now_.step - (observers.ending() == nullptr ? 0 : observers.ending()->skipped_steps()),
                  .first_step = plan_.first_step,
                  .made = made_,
                  .setup_seconds = setup_seconds_,
                  .loop_seconds = loop_seconds_,
                  .compile = compiler_->statistics(),
                  .initial_energy = observers.energy().initial().value_or(0),
                  .final_energy = observers.energy().latest().value_or(0)};
  if (plan_.ranks.is_first()) summary.decays = decays(plan_, observers);  // of waves at ports, which it alone has
  // The end time as the user wrote it, without the rounding of two conversions.
  summary.time_end =
      now_.step == plan_.steps ? plan_.config.end_time() : observers.now().time * plan_.file_scaling.time;
  if (summary.outcome == "done") summary.ended_by = ended_by(observers.ending());
  if (summary.outcome == "done" && plan_.ranks.is_first()) warn_of_truncation(plan_, summary.decays);
  summary.antenna = observers.antenna();
  summary.device_bytes = plan_.device.peak_allocated_bytes();
  if (prepared_->reference()) {
    summary.errors = reference_errors(plan_, prepared_->op(), *prepared_->reference(), observers.now().time);
  }
  // Nothing is measured here: dg_bench and --tune do that, and keep it.
  summary.ceilings = rtcg::find_ceilings(plan_.device, rtcg::default_wisdom_directory());
  summary.ranks = rank_rows(plan_, summary.compile.cache_misses);
  summary.transport = prepared_->op().transport();
  make_last_results(summary.outcome);
  of_ranks_.tell(warnings_);
  summary.warnings = warnings_;
  summary.wall_seconds = options_.clock.seconds();
  if (const auto* directory = results_->directory(); directory != nullptr && plan_.ranks.is_first()) {
    write_summary(summary, plan_, *directory / "summary.json");
  }
  if (summary.outcome == "done" && plan_.ranks.is_first()) note_rate(plan_, summary);
  summary_ = std::move(summary);
}

std::vector<std::size_t> Simulation::Run::numbers_of(const std::vector<std::string>& names) const {
  const std::vector<std::string>& known = plan_.problem.system.fields;
  std::vector<std::size_t> wanted;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      throw ConfigError("'" + name + "' is no field of these equations" + core::did_you_mean(name, known));
    }
    wanted.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return wanted;
}

std::vector<std::vector<double>> Simulation::Run::fields(const std::vector<std::string>& names) const {
  const std::vector<std::size_t> wanted = numbers_of(names);
  const auto Np = static_cast<std::size_t>(plan_.discretization->Np());
  const std::size_t K = plan_.discretization->K(), stride = plan_.problem.system.fields.size() * Np;
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

}  // namespace maxwell_dg::simulation
