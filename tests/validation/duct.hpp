#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "dg/maxwell/dispersion.hpp"
#include "tests/convergence/test_run.hpp"

namespace maxwell_dg::dg {

/// A duct along z with perfectly conducting and perfectly matched ends, in which one mode runs:
///
///   te   E_y = sin(pi x / width) f(z), a plane wave that bounces between the walls with E across the plane of
///   incidence tm   H_y = cos(pi x / width) f(z), the same with H across it tem  H_y = f(z), E_x: a plane wave that
///   meets what stands in its way head on
///   bloch  E_y = exp(-i k_x x) f(z), one plane wave, its periods in x cut down to `width` by a phase
///
/// At t = 0 it is a pulse without its other field, so that a half of it runs to either end.
class Duct {
 public:
  enum class Mode { te, tm, tem, bloch };
  struct Options {
    Mode mode{};
    double width{1.0};
    double k_x{};  ///< of bloch
    double length{5.5};
    double layer{1.0};  ///< thickness of the matched layers, at both ends
    /// The upper end is a mirror in place of a layer: half of a duct in which everything is symmetric about it.
    bool mirrored{};
    std::optional<double> reflection{};  ///< of these; none: the default
    double kappa{1.0};                   ///< by which they are stretched
    double cell{0.25};
    int across{};  ///< cells along x; 0: as many as keep them about cubes
    int N{4};
    Dtype precision{Dtype::float64};
    /// f = exp(-((z - at) / width)^2) cos(2 pi (z - at) / wavelength)
    double pulse_at{1.9}, pulse_width{0.3}, wavelength{1.0};
    /// The medium at a centroid, in the order of maxwell::System's parameters; and what else there is.
    TestRun::Materials materials{};
    std::vector<maxwell::Pole> poles{};  ///< everywhere
    std::function<void(const Discretization&, Problem&)> extend{};
  };
  explicit Duct(const Options& options);

  [[nodiscard]] TestRun& run() { return run_; }
  /// Records the mode's transverse field (E_y, or H_y; of bloch at x = 0, where it is real) at heights z for a while.
  /// [height][sample], and the step.
  struct Record {
    std::vector<std::vector<double>> samples;
    double dt{};
    /// Integral of the record times exp(-i w t), faded out over its second half.
    [[nodiscard]] std::complex<double> spectrum(std::size_t height, double w) const;
  };
  [[nodiscard]] Record record(const std::vector<double>& heights, double duration);
  /// Across the duct: pi / width, 0 of tem, as it was asked for of bloch.
  [[nodiscard]] double k_x() const;

 private:
  Options options_;
  TestRun run_;
};

}  // namespace maxwell_dg::dg
