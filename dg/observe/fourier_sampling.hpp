#pragma once

namespace maxwell_dg::dg {

/// Which steps of a run go into Fourier sums, and with which weight: the sums then stand for the integral of
/// window(t) q(t) exp(-2 pi i f t) over the run.
struct FourierSampling {
  double dt{};
  long steps{};          ///< of the whole run
  long every = 1;        ///< steps from one sample to the next
  double hann_length{};  ///< of a window (1 - cos) / 2 at the end of the run; 0: the whole run, equally weighted

  /// Zero where the step is no sample. The trapezoidal rule: half at the ends of a run without a window.
  [[nodiscard]] double weight(long step) const;
};

/// As sparse as a signal without content above `band_edge` lets it be: samples at intervals T repeat the spectrum every
/// 1/T, and what comes down on a wanted frequency from there must lie above the band: 1/T >= band_edge + wanted, and
/// two samples a period of the wanted frequency. Then the sums are exact but for what the band leaves out, whatever
/// rule of integration is thought of (Poisson's summation formula). An infinite `band_edge`: every step.
[[nodiscard]] FourierSampling sample_pulse(double dt, long steps, double band_edge, double highest_wanted);

/// For the steady tone at the end of a run, ten samples a period or more: a Hann window over its last whole periods, at
/// most four and no more than half of the run. Nothing of the conjugate tone at -f is left in the sums, whatever part
/// of a period a step is, because its distance of 2f is a zero of the window's spectrum.
/// Throws std::invalid_argument for a run of fewer than two periods.
[[nodiscard]] FourierSampling sample_tone(double dt, long steps, double frequency);

}  // namespace maxwell_dg::dg
