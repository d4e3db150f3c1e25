#pragma once

#include <span>
#include <string>
#include <vector>

#include "dg/maxwell/antenna.hpp"
#include "dg/maxwell/far_field.hpp"

namespace maxwell_dg::dg {

/// An antenna's far field over angles, as rows of a table and as a surface for ParaView: 4 pi times the intensity over
/// a power. That is the gain if the power is the one accepted, the directivity if it is the one radiated (IEEE Std
/// 145-2013); of a polarization, the partial gain or directivity.
struct FarFieldPattern {
  const maxwell::RadiatingSurface& surface;
  std::string quantity;  ///< "gain" or "directivity"
  double power{};        ///< over which it is
  maxwell::PolarizationReference reference{};

  /// The names of what `values` gives, of a quantity: QUANTITY_dbi, then that of the co- and cross-polarization and of
  /// right- and left-hand circular polarization, the axial ratio in dB, and the phases of co- and cross-polarization in
  /// degrees.
  [[nodiscard]] static std::vector<std::string> columns(const std::string& quantity);
  [[nodiscard]] std::vector<double> values(const maxwell::FarField& field, const maxwell::Direction& direction) const;

  /// The text of a VTK file (.vtp) with the surface whose distance from the origin is the gain of that direction over
  /// the largest, times the radius of the radiating surface, and as data all of `values`. Directions are so many
  /// degrees apart. Collective.
  [[nodiscard]] std::string vtp(double step_deg) const;
};

}  // namespace maxwell_dg::dg
