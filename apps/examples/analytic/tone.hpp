#pragma once

#include <span>

#include "apps/examples/analytic/vector.hpp"

namespace maxwell_dg::analytic {

/// The signal exp(-decay t) Re(amplitude exp(-i omega t)), t from the first sample.
struct Tone {
  double omega{};
  double decay{};
  Complex amplitude{};
  double misfit{};  ///< rms of signal minus tone over rms of signal, weighted as the fit is
};

/// The strongest tone between two angular frequencies: the peak of the windowed spectrum, refined by a least-squares
/// fit of frequency, decay, amplitude and phase. A Hann window weights the samples, so that other tones that are a few
/// 2 pi / duration away hardly disturb it. O(samples * (duration * band)) time.
/// Throws std::invalid_argument with fewer than 16 samples or an empty band, std::runtime_error if the fit diverges.
[[nodiscard]] Tone fit_tone(std::span<const double> samples, double dt, double omega_min, double omega_max);

}  // namespace maxwell_dg::analytic
