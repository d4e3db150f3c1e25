#pragma once

#include <array>
#include <complex>
#include <optional>

#include "dg/maxwell/far_field.hpp"

/// What a far field says of an antenna, by the definitions of IEEE Std 145-2013 (Standard for Definitions of Terms for
/// Antennas).
namespace maxwell_dg::dg::maxwell {

/// The main lobe. Intensities are mean powers into a unit of solid angle.
struct MainLobe {
  Direction direction;               ///< of the largest intensity, above the ground
  double intensity{};                ///< there
  std::optional<double> backward{};  ///< the intensity in the opposite direction; none where that is below the ground
  /// Angles between the directions of half the intensity on both sides, in the plane through `direction` and E there
  /// (the major axis of its ellipse), and in the one through `direction` and H. None where there is none on one side.
  std::optional<double> width_E{}, width_H{};
};

/// The direction of the largest intensity is found to a thousandth of a lobe's width. Where several are equally strong,
/// as around an omnidirectional antenna, it is that of the least phi among the directions of `sphere` (the surface's).
/// Collective.
[[nodiscard]] MainLobe main_lobe(const RadiatingSurface& surface, const FarSphere& sphere);

/// Against what the polarization is measured: Ludwig's third definition (IEEE Trans. Antennas Propag. 21, 1973), for
/// any axis. The reference is carried from the axis to a direction along the great circle between them.
struct PolarizationReference {
  std::array<double, 3> boresight{0, 0, 1};  ///< of length 1
  std::array<double, 3> along{1, 0, 0};      ///< of length 1, at a right angle to it: E of the co-polarization there
};

/// A far field by its polarizations.
struct Polarizations {
  std::complex<double> co, cross;    ///< E along the reference, and along direction x reference
  std::complex<double> right, left;  ///< circular: |right|^2 + |left|^2 = |E|^2; right turns with the right hand
  double axial_ratio{};              ///< of the ellipse, major over minor axis: 1 circular, infinite linear
};
[[nodiscard]] Polarizations polarizations(const FarField& field, const Direction& direction,
                                          const PolarizationReference& reference = {});

}  // namespace maxwell_dg::dg::maxwell
