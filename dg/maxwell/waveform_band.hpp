#pragma once

#include "dg/maxwell/plane_wave.hpp"

namespace maxwell_dg::dg::maxwell {

/// The amplitude of a waveform's spectrum at a frequency over its largest:
///   gaussian_pulse  10^-((f - f_0) / (bandwidth / 2))^2, the image at negative frequencies left out
///   ricker          x exp(1 - x), x = (f / f_peak)^2
///   sine            1 at its own frequency (to 1e-9), else 0: the steady tone
///   expression      1: not known
[[nodiscard]] double relative_spectrum(const Waveform& waveform, double frequency);

/// Above this frequency the spectrum is below `level` (0 < level < 1) times its largest; infinite for an expression.
[[nodiscard]] double band_edge(const Waveform& waveform, double level);

/// From when on a pulse is negligible, a sine steady; infinite for an expression.
[[nodiscard]] double end_of(const Waveform& waveform);

/// A bound of |value_at| about time t, which does not pass through zero with each period: of a pulse its envelope (of a
/// ricker A (1 + 2 a) exp(-a)), of a sine its ramp, of an expression its value there.
[[nodiscard]] double envelope_at(const Waveform& waveform, double t);

}  // namespace maxwell_dg::dg::maxwell
