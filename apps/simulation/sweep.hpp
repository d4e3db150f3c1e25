#pragma once

#include <vector>

#include "apps/config/config.hpp"

/// A run for each angle from which a plane wave comes.
namespace maxwell_dg::simulation {

/// from, from + step ... to; both ends included.
[[nodiscard]] std::vector<double> angles(const config::AngleRange& range);

/// Where a wave comes from, in degrees.
struct Incidence {
  double theta{}, phi{};
};
/// Every theta with every phi, as far fields have them.
[[nodiscard]] std::vector<Incidence> incidences(const config::PlaneWaveSweep& sweep);

/// The config of one run of its sweep: without that, its plane wave from there, its far field towards there.
[[nodiscard]] config::Config config_of(const config::Config& config, const Incidence& incidence);

}  // namespace maxwell_dg::simulation
