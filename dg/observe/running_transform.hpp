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

/// The Fourier transform of fields, computed during a run: the integral of window(t) q(t) exp(-2 pi i f t), divided by
/// the transform of the signal that drives the run (the reference). Both are sums over the same samples, so that
/// window, quadrature and length of the run cancel: the result is the response to a signal of amplitude 1 and phase 0.
class RunningTransform {
 public:
  struct Options {
    FourierSelection selection;
    FourierSampling sampling;
    std::optional<symbolic::Expr> reference{};  ///< the driving signal, of time; none: nothing is divided
  };

  /// The operator must outlive the transform.
  RunningTransform(const Operator& op, Options options);

  /// Adds the present state if this moment is a sample. Does not wait for the device.
  void observe(const Moment& now);
  /// Stores the sums in an archive, under names that begin with `name`; restores them. Throws ConfigError if the
  /// sampling is not that of the stored sums.
  void save(const std::string& name, Archive& archive) const;
  void load(const std::string& name, const Archive& archive);

  /// Nothing would follow of what is transformed.
  void complete() { last_step_ = options_.sampling.steps; }
  /// Whether it has observed the whole run, or all of it that there is to see.
  [[nodiscard]] bool is_complete() const { return last_step_ == options_.sampling.steps; }

  [[nodiscard]] const FourierSelection& selection() const { return options_.selection; }
  /// The same as FourierSums::get and get_own, but divided by the transform of the reference.
  [[nodiscard]] std::vector<std::complex<double>> get(std::size_t frequency) const;
  [[nodiscard]] std::vector<std::complex<double>> get_own(std::size_t frequency) const;

 private:
  [[nodiscard]] std::vector<std::complex<double>> divided(std::vector<std::complex<double>> sums,
                                                          std::size_t frequency) const;

  Options options_;
  std::unique_ptr<FourierSums> sums_;
  std::vector<std::complex<double>> reference_;  ///< [frequency]
  long last_step_ = -1;
};

}  // namespace maxwell_dg::dg
