#pragma once

#include <array>

#include "dg/maxwell/homogeneous_medium.hpp"
#include "dg/symbolic/incident.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg::maxwell {

/// The time dependence of a source, in normalized units (c = 1; time in metres or the mesh's unit).
struct Waveform {
  enum class Kind { sine, gaussian_pulse, ricker, expression };
  Kind kind = Kind::gaussian_pulse;
  double frequency{};  ///< of the carrier; the peak of a Ricker wavelet's spectrum
  double bandwidth{};  ///< of a Gaussian pulse: full width of its spectrum at -20 dB
  double amplitude = 1.0;
  double delay{-1.0};           ///< t0; negative: five times the pulse's width tau
  double start{0.0};            ///< of sine: when it begins to ramp up
  symbolic::Expr expression{};  ///< of time, with Kind::expression
};

/// Width tau of a Gaussian pulse exp(-(t-t0)^2 / (2 tau^2)) whose spectrum is `bandwidth` wide at -20 dB:
/// exp(-(pi bandwidth tau)^2 / 2) = 0.1.
[[nodiscard]] double pulse_width(double bandwidth);

/// When a Gaussian pulse or a Ricker wavelet peaks: its delay, where none is given five times its width.
[[nodiscard]] double peak_time(const Waveform& waveform);

/// The waveform at time `t`, which may be any expression (a retarded time, say):
///   sine            A ramp((t - start) f / 2) sin(2 pi f t), ramping up over two periods with two continuous
///   derivatives gaussian_pulse  A exp(-(t-t0)^2 / (2 tau^2)) sin(2 pi f (t-t0)) ricker          A (1 - 2 a) exp(-a), a
///   = (pi f (t-t0))^2
[[nodiscard]] symbolic::Expr value_at(const Waveform& waveform, const symbolic::Expr& t);

/// A plane wave of phase zero at the origin. `direction` and `polarization` need not have unit length; what of the
/// polarization points along the direction is an error (std::invalid_argument), as are zero vectors.
struct PlaneWave {
  std::array<double, 3> direction{0, 0, 1};
  std::array<double, 3> polarization{1, 0, 0};  ///< of E
  Waveform waveform{};
  HomogeneousMedium medium{};  ///< that it travels in
};

/// E at a position and time: polarization * waveform(t - n direction . x), where n is the medium's refractive index.
[[nodiscard]] symbolic::Vector electric_field(const PlaneWave& wave);
/// [field] of maxwell::system: E, and H = direction x E / Z, where Z is the medium's impedance.
[[nodiscard]] std::vector<symbolic::Expr> fields(const PlaneWave& wave);
/// The same, with what depends on direction, polarization, medium and the start of a sine as parameters.
[[nodiscard]] IncidentField incident_field(const PlaneWave& wave);

}  // namespace maxwell_dg::dg::maxwell
