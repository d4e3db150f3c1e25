#pragma once

#include <vector>

#include "dg/maxwell/dispersion.hpp"

namespace maxwell_dg::dg::maxwell {

/// The losses of a dielectric as data sheets give them: epsilon'' / epsilon' is `value` from one frequency to another.
/// All frequencies have one unit, whatever it is.
struct LossTangent {
  double value{};       ///< above 0
  double from{}, to{};  ///< above 0, ascending
  double at{};          ///< where epsilon_r is that of the data sheet
};

/// A medium whose loss tangent is nearly constant in a band, over epsilon' at LossTangent::at.
struct LossyMedium {
  double at_infinity{};     ///< epsilon at infinite frequency
  std::vector<Pole> poles;  ///< of debye, whose rates are angular frequencies in the unit of the frequencies
  double error{};           ///< largest |tan / value - 1| in the band
  /// epsilon' at a frequency.
  [[nodiscard]] double real_part(double frequency) const;
};

/// How far from its value the loss tangent may be: data sheets do not know it as well.
constexpr double loss_tangent_error = 0.03;

/// The fewest Debye poles, with relaxation frequencies in equal ratios, that keep the loss tangent within
/// loss_tangent_error of its value in the band. A sum of such poles with positive strengths is passive and causal,
/// and epsilon' falls with frequency as it must: nearly as (f / at)^(-2 delta / pi), tan(delta) being the loss tangent,
/// which is the only causal law with a constant one (Kjartansson, J. Geophys. Res. 84, 4737, 1979; for laminates
/// Djordjevic et al., IEEE Trans. Electromagn. Compat. 43, 662, 2001, with a continuum of poles). The strengths solve
/// sum_k s_k (x_k - value) / (1 + x_k^2) = value, x_k = f / f_k, at frequencies of the band, in the least squares
/// weighed by 1 / epsilon'. Throws std::invalid_argument where 12 poles are too few.
[[nodiscard]] LossyMedium with_loss_tangent(const LossTangent& wanted);

}  // namespace maxwell_dg::dg::maxwell
