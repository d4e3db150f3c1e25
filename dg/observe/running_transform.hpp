#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dg/observe/fourier_sampling.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/symbolic/expression.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// The Fourier transform of a run, made while it goes on: integral of window(t) q(t) exp(-2 pi i f t), over that of the
/// signal that drives the run. Both are the same sums over the same samples, so that window, rule of integration and
/// length of the run cancel: what remains is the response to a unit amplitude, its phase that of the signal.
class RunningTransform {
 public:
  struct Options {
    FourierSelection selection;
    FourierSampling sampling;
    std::optional<symbolic::Expr> reference{};  ///< of time; none: the bare transform
  };

  /// The operator must outlive it.
  RunningTransform(const Operator& op, Options options);

  /// Adds the present state where the moment is a sample. Does not wait.
  void observe(const Moment& now);
  /// Puts what it has summed into an archive, under names that begin with `name`, and takes it out again. The sampling
  /// must be the same then: ConfigError where it is not.
  void save(const std::string& name, Archive& archive) const;
  void load(const std::string& name, const Archive& archive);

  /// Has it seen the whole run?
  [[nodiscard]] bool is_complete() const { return last_step_ == options_.sampling.steps; }

  [[nodiscard]] const FourierSelection& selection() const { return options_.selection; }
  /// As FourierSums::size and get, divided by the reference's transform. Waits for the device.
  [[nodiscard]] std::size_t size() const { return sums_->size(); }
  void get(std::size_t frequency, std::span<std::complex<double>> values) const;

 private:
  Options options_;
  std::unique_ptr<FourierSums> sums_;
  std::vector<std::complex<double>> reference_;  ///< [frequency]
  long last_step_ = -1;
};

}  // namespace maxwell_dg::dg
