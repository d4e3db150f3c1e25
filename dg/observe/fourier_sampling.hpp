#pragma once

namespace maxwell_dg::dg {

/// Which steps of a run are samples of Fourier sums, and their weights: the sums approximate the integral of
/// window(t) q(t) exp(-2 pi i f t) over the run.
struct FourierSampling {
  double dt{};
  long steps{};          ///< of the whole run
  long every = 1;        ///< steps from one sample to the next
  double hann_length{};  ///< length of a Hann window, (1 - cos) / 2, at the end of the run; 0: no window

  /// The weight of a step; zero if it is no sample. Without a window, by the trapezoidal rule: half at both ends.
  [[nodiscard]] double weight(long step) const;
};

/// The fewest samples for a signal that has no content above `band_edge`. Samples at intervals T repeat the spectrum
/// with period 1/T, so the image of the band must not reach a wanted frequency: 1/T >= band_edge + wanted, and at least
/// two samples for each period of the wanted frequency. By Poisson's summation formula the sums are then exact, except
/// for content above the band. If `band_edge` is infinite, every step is a sample.
[[nodiscard]] FourierSampling sample_pulse(double dt, long steps, double band_edge, double highest_wanted);

/// For a steady oscillation at the end of a run: a Hann window over the last whole periods, at most four and at most
/// half of the run, with at least ten samples for each period. The component at -f does not contribute to the sums,
/// whatever the time step, because the window's spectrum is zero at the distance 2f.
/// Throws std::invalid_argument for a run of fewer than two periods.
[[nodiscard]] FourierSampling sample_tone(double dt, long steps, double frequency);

}  // namespace maxwell_dg::dg
