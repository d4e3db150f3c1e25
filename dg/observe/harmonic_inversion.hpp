#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace maxwell_dg::dg {

/// amplitude exp(i w t) of a signal, t from its first sample; Im(w) > 0 decays.
struct Resonance {
  std::complex<double> w;          ///< [rad / unit of dt]
  std::complex<double> amplitude;  ///< of the real signal 2 Re(amplitude exp(i w t))
  double error{};                  ///< relative, of w: how far one step and two steps of the signal disagree

  [[nodiscard]] double frequency() const { return w.real() / 6.283185307179586; }
  [[nodiscard]] double Q() const { return w.real() / (2.0 * w.imag()); }  ///< infinite or negative: does not decay
};

/// How many samples `harmonic_inversion` needs at least, of a band within the sampling theorem. They span five periods
/// of the band's width, 2 pi / (w_max - w_min): its low-pass filter takes three, and what comes out must last two.
[[nodiscard]] std::size_t fewest_samples(double dt, double w_min, double w_max);

/// The damped oscillations in a real signal between two angular frequencies, by filter diagonalization (Mandelshtam &
/// Taylor 1997, J. Chem. Phys. 107, 6756): the signal is shifted to the middle of the band, low-passed and thinned out;
/// what is left is written as an autocorrelation of an operator, whose eigenvalues in a basis of the band's harmonics
/// are exp(i w step). It resolves lines closer than 1 / duration, where a Fourier transform cannot. By ascending
/// frequency; only those with an amplitude of at least 1e-3 of the largest and an error below 1e-3. Costs O(samples)
/// and the diagonalization of a few hundred by few hundred matrix. Throws std::invalid_argument for an empty band, one
/// above the sampling theorem, or fewer samples than `fewest_samples`.
[[nodiscard]] std::vector<Resonance> harmonic_inversion(std::span<const double> signal, double dt, double w_min,
                                                        double w_max);

}  // namespace maxwell_dg::dg
