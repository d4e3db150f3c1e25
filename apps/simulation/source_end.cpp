#include "apps/simulation/source_end.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "apps/simulation/current_samples.hpp"
#include "apps/simulation/physics.hpp"
#include "dg/maxwell/waveform_band.hpp"

namespace maxwell_dg::simulation {
namespace {

constexpr double negligible_end = 1e-6;  // of the largest value
constexpr double never = std::numeric_limits<double>::infinity();

/// [sample] sizes at times from 0 to `until`, both included.
std::vector<double> sampled(const std::function<double(double)>& size_at, double until, long samples) {
  std::vector<double> sizes;
  for (long i = 0; i <= samples; ++i) {
    sizes.push_back(size_at(until * static_cast<double>(i) / static_cast<double>(samples)));
  }
  return sizes;
}

double end_of(const std::vector<double>& sizes, double until) {
  const double largest = *std::ranges::max_element(sizes);
  const auto samples = static_cast<long>(sizes.size()) - 1;
  long last = samples;
  while (last >= 0 && sizes[static_cast<std::size_t>(last)] <= negligible_end * largest) --last;
  return last == samples ? never : until * static_cast<double>(last + 1) / static_cast<double>(samples);
}

}  // namespace

double end_of(const Plan& plan, const dg::maxwell::Waveform& waveform, double until) {
  if (waveform.kind != dg::maxwell::Waveform::Kind::expression) return dg::maxwell::end_of(waveform);
  constexpr long most_samples = 100'000;
  const auto size_at = [&](double t) { return dg::maxwell::envelope_at(waveform, t); };
  return end_of(sampled(size_at, until, std::min(plan.steps, most_samples)), until);
}

double end_of(const Plan& plan, const std::string& key, const config::Current& current, double until) {
  constexpr long most_samples = 20'000;
  const CurrentSamples real(plan.config, key, current, current.density, *plan.discretization);
  const CurrentSamples imaginary(plan.config, key, current, current.imaginary_density, *plan.discretization);
  const auto size_at = [&](double t) { return std::max(real.largest_at(t), imaginary.largest_at(t)); };
  std::vector<double> sizes = sampled(size_at, until, std::min(plan.steps, most_samples));
  if (plan.is_part) plan.ranks.max(sizes);
  return end_of(sizes, until);
}

}  // namespace maxwell_dg::simulation
