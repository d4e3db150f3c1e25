#include "dg/observe/running_transform.hpp"

#include <numbers>
#include <utility>

#include "core/error.hpp"

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

void RunningTransform::save(const std::string& name, Archive& archive) const {
  std::vector<double> reference;
  for (const std::complex<double>& value : reference_) reference.insert(reference.end(), {value.real(), value.imag()});
  archive.put(name + ".reference", std::move(reference));
  archive.put(name + ".sampling", {options_.sampling.dt, static_cast<double>(options_.sampling.steps)});
  archive.put_integer(name + ".last_step", last_step_);
  sums_->save(name + ".sums", archive);
}

void RunningTransform::load(const std::string& name, const Archive& archive) {
  const std::vector<double> sampling{options_.sampling.dt, static_cast<double>(options_.sampling.steps)};
  const std::vector<double> reference = archive.reals(name + ".reference");
  if (archive.reals(name + ".sampling") != sampling || reference.size() != 2 * reference_.size()) {
    throw ConfigError("the checkpoint's running Fourier sums '" + name +
                      "' were made with other time steps; resume with the same order, cfl, integrator and end of time,"
                      " or begin anew without --resume");
  }
  for (std::size_t j = 0; j < reference_.size(); ++j) reference_[j] = {reference[2 * j], reference[2 * j + 1]};
  last_step_ = static_cast<long>(archive.integer(name + ".last_step"));
  sums_->load(name + ".sums", archive);
}

std::vector<std::complex<double>> RunningTransform::get(std::size_t frequency) const {
  return divided(sums_->get(frequency), frequency);
}

std::vector<std::complex<double>> RunningTransform::get_own(std::size_t frequency) const {
  return divided(sums_->get_own(frequency), frequency);
}

std::vector<std::complex<double>> RunningTransform::divided(std::vector<std::complex<double>> sums,
                                                            std::size_t frequency) const {
  for (std::complex<double>& sum : sums) sum /= reference_.at(frequency);
  return sums;
}

}  // namespace maxwell_dg::dg
