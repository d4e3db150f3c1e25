#include "dg/observe/running_transform.hpp"

#include <numbers>
#include <utility>

namespace maxwell_dg::dg {

RunningTransform::RunningTransform(const Operator& op, Options options)
    : options_(std::move(options)),
      sums_(op.sum_fourier(options_.selection)),
      reference_(options_.selection.frequencies.size(), options_.reference ? 0.0 : 1.0) {}

void RunningTransform::observe(const Moment& now) {
  last_step_ = now.step;
  const double weight = options_.sampling.weight(now.step);
  if (weight == 0) return;
  sums_->add(now.time, weight);
  if (!options_.reference) return;
  const double value = weight * symbolic::evaluate(*options_.reference, {}, now.time);
  for (std::size_t j = 0; j < reference_.size(); ++j) {
    reference_[j] += value * std::polar(1.0, -2 * std::numbers::pi * options_.selection.frequencies[j] * now.time);
  }
}

void RunningTransform::get(std::size_t frequency, std::span<std::complex<double>> values) const {
  sums_->get(frequency, values);
  for (std::complex<double>& value : values) value /= reference_.at(frequency);
}

}  // namespace maxwell_dg::dg
