#include "apps/dg_bench/tune.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <system_error>

#include "apps/dg_bench/report.hpp"
#include "core/atomic_file.hpp"
#include "dg/tuning/curved_tuner.hpp"

namespace maxwell_dg::bench {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Tunes the stage of curved elements beside the best variant of straight ones.
void tune_curved(const rtcg::Compiler& compiler, const std::shared_ptr<const dg::Discretization>& discretization,
                 const dg::Problem& problem, const TuningJob& job, const rtcg::TuneOptions& options, TuningGain& gain) {
  dg::CurvedTuner tuner(compiler, discretization, problem, dg::Schedule::named(gain.best().variant),
                        {.precision = gain.precision, .wisdom_directory = job.wisdom});
  const rtcg::TuningResult result = tuner.tune(options);
  gain.best_of_curved = rtcg::written(result.best);
  gain.table_of_curved = rtcg::table_text(result);
}

std::vector<int> from_the_middle(std::vector<int> orders) {
  constexpr int usual = 4;
  std::stable_partition(orders.begin(), orders.end(), [](int order) { return order == usual; });
  return orders;
}

}  // namespace

void require_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);  // what fails here fails in the next line, with a reason
  const AtomicFile probe(folder / "probe");
}

std::size_t TuningGain::working() const {
  return static_cast<std::size_t>(std::ranges::count(candidates, "", &dg::VariantReport::rejection));
}

std::optional<dg::VariantReport> TuningGain::fixed() const {
  const auto found = std::ranges::find(candidates, by_hand, &dg::VariantReport::variant);
  if (found == candidates.end() || !found->rejection.empty()) return std::nullopt;
  return *found;
}

double TuningGain::loss_of(const dg::VariantReport& fixed) const {
  const bool sustained = fixed.sustained_gdof_per_second > 0 && best().sustained_gdof_per_second > 0;
  const auto speed = sustained ? &dg::VariantReport::sustained_gdof_per_second : &dg::VariantReport::gdof_per_second;
  return 1 - fixed.*speed / best().*speed;
}

std::vector<dg::VariantReport> TuningGain::by_speed() const {
  std::vector<dg::VariantReport> all(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(working()));
  std::ranges::stable_sort(all, {}, &dg::VariantReport::seconds);
  return all;
}

std::vector<TuningGain> tune(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, Boxes& boxes,
                             const TuningJob& job) {
  const double end = seconds_now() + job.seconds;
  std::size_t questions_left = job.systems.size() * job.precisions.size() * job.orders.size();
  std::vector<TuningGain> gains;
  print_tuning_header();
  for (const dg::System& system : job.systems) {
    for (const Dtype precision : job.precisions) {
      std::vector<dg::Schedule> only;
      for (const std::string& name : job.variants) only.push_back(parse_variant(name));
      std::string by_hand;
      for (const int order : from_the_middle(job.orders)) {
        const double begin = seconds_now();
        const auto discretization = boxes.of_order(order);
        dg::StageTuner::Options options{.precision = precision,
                                        .wisdom_directory = job.wisdom,
                                        .only = only,
                                        .slicing = job.slicing,
                                        .ceilings = ceilings};
        if (!by_hand.empty()) options.first = {dg::Schedule::named(by_hand)};
        const dg::Problem problem = box_problem(system, *discretization, job.materials);
        dg::StageTuner tuner(compiler, discretization, problem, options);
        const double share = std::max(0.0, end - seconds_now()) / static_cast<double>(questions_left--);
        const double of_straight = discretization->curved ? share / 2 : share;
        // The best of a few is no answer for a run.
        const bool all = only.empty() && job.slicing.empty();
        const rtcg::TuningResult result = tuner.tune({.seconds = of_straight, .anew = true, .keep = all});
        TuningGain gain{.system = system.name,
                        .order = order,
                        .precision = precision,
                        .elements = discretization->K(),
                        .seconds = seconds_now() - begin,
                        .candidates = variant_reports(tuner, result),
                        .operations = rtcg::operations_text(result)};
        if (discretization->curved) {
          const double left = std::max(0.0, share - (seconds_now() - begin));
          tune_curved(compiler, discretization, problem, job, {.seconds = left, .anew = true, .keep = all}, gain);
          gain.seconds = seconds_now() - begin;
        }
        if (by_hand.empty()) by_hand = gain.best().variant;
        gain.by_hand = by_hand;
        print(gain);
        gains.push_back(std::move(gain));
      }
    }
  }
  return gains;
}

}  // namespace maxwell_dg::bench
