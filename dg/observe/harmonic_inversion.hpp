#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace maxwell_dg::dg {

/// A component amplitude exp(i w t) of a signal, where t = 0 is the first sample; it decays if Im(w) > 0.
struct Resonance {
  std::complex<double> w;          ///< [rad / unit of dt]
  std::complex<double> amplitude;  ///< of the real signal 2 Re(amplitude exp(i w t))
  double error{};  ///< relative error of w: the difference between its values from one step and from two

  [[nodiscard]] double frequency() const { return w.real() / 6.283185307179586; }
  /// The quality factor; infinite or negative if the component does not decay.
  [[nodiscard]] double Q() const { return w.real() / (2.0 * w.imag()); }
};

/// The least number of samples for `harmonic_inversion`, for a band within the sampling theorem. They last five times
/// 2 pi / (w_max - w_min): the low-pass filter takes three of these, and its output must last two.
[[nodiscard]] std::size_t fewest_samples(double dt, double w_min, double w_max);

/// The damped oscillations in a real signal between two angular frequencies, by filter diagonalization (Mandelshtam &
/// Taylor 1997, J. Chem. Phys. 107, 6756). The signal is shifted in frequency by the middle of the band, low-pass
/// filtered and decimated. The result is regarded as the autocorrelation of a state under a time-step operator, whose
/// eigenvalues, computed in a basis of harmonics in the band, are exp(i w step). This resolves lines that are closer
/// than 1 / duration, which a Fourier transform cannot do. Sorted by frequency; only oscillations with an amplitude of
/// at least 1e-3 of the largest and an error below 1e-3 are returned. The cost is O(samples) plus the diagonalization
/// of a matrix of a few hundred rows. Throws std::invalid_argument for an empty band, a band above the sampling
/// theorem, or fewer samples than `fewest_samples`.
[[nodiscard]] std::vector<Resonance> harmonic_inversion(std::span<const double> signal, double dt, double w_min,
                                                        double w_max);

}  // namespace maxwell_dg::dg
