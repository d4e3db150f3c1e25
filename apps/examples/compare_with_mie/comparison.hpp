#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/examples/analytic/signal.hpp"
#include "apps/examples/analytic/vector.hpp"

namespace maxwell_dg::analytic {

/// Scattered fields at points, sampled uniformly in time, in normalized units (time in the unit of length).
struct ProbeSignals {
  struct Probe {
    std::string name;
    Vec3 at{};
    /// [field][sample] Ex Ey Ez Hx Hy Hz
    std::array<std::vector<double>, 6> fields;
  };
  double t0{};
  double dt{};
  std::vector<Probe> probes;
};

/// What 1 in the file is in normalized units.
struct FileUnits {
  double time = 1.0;
  double magnetic = 1.0;
};

/// Reads columns `time, NAME.Ex ... NAME.Hz` of a probes.csv for the probes named here. Throws maxwell_dg::Error when
/// the file is missing or malformed, a probe has no columns, or the steps in time are not equal (to 1e-6).
[[nodiscard]] ProbeSignals read_probes(const std::filesystem::path& file,
                                       const std::vector<std::pair<std::string, Vec3>>& probes,
                                       const FileUnits& units = {});

/// A sphere at the origin, of metal or of a medium, in a pulsed plane wave whose phase is zero at the origin.
struct MieSetup {
  double radius = 1.0;
  std::optional<double> absorbing_radius{};  ///< where a first-order absorbing boundary ends space, if it is near
  Vec3 direction{0, 0, 1};
  Vec3 polarization{1, 0, 0};
  GaussianPulse pulse{1.0, 1.0};  ///< normalized units
  /// Of a medium: its permittivity at a wavenumber, imaginary part positive; none: metal.
  std::function<Complex(double k)> epsilon_r{};
  /// Of a coat likewise, with the radius of what it covers; none: the sphere is bare.
  std::function<Complex(double k)> coat_epsilon_r{};
  double core_radius{};
};

/// How far the probes' spectra, over that of the incident wave at the origin, are from the Mie series: relative L2
/// over all probes and components, of E, of H (in units of E), and of both.
struct MieDeviation {
  double ka{};
  double E{}, H{}, both{};
};
[[nodiscard]] MieDeviation compare_with_mie(const ProbeSignals& signals, const MieSetup& setup, double frequency);

/// How much of the signals is left at their end: largest field of the last twentieth over the largest at any time.
/// The comparison means nothing when this is not small.
[[nodiscard]] double remaining_signal(const ProbeSignals& signals);

/// The radar cross section along theta at one frequency and one phi.
struct RcsCut {
  double frequency{};  ///< as in the file
  double phi_deg{};
  std::vector<double> theta_deg, rcs;
};

/// Reads an rcs.csv. Throws maxwell_dg::Error when it is missing or malformed.
[[nodiscard]] std::vector<RcsCut> read_rcs(const std::filesystem::path& file);

/// What the Mie series has in the directions of a cut; `frequency` in normalized units.
[[nodiscard]] std::vector<double> exact_rcs(const RcsCut& cut, const MieSetup& setup, double frequency);

/// The frequency at which the cross section, added up over all directions of a file, is largest: of the file and of the
/// series at the same frequencies, by the parabola through the largest sum and its neighbours. `unit` takes the file's
/// frequencies to normalized units. Throws ConfigError where the largest sum stands at an end.
struct RcsPeak {
  double found{}, exact{};
};
[[nodiscard]] RcsPeak rcs_peak(std::span<const RcsCut> cuts, const MieSetup& setup, double unit);

/// How far a cut is from the Mie series, in dB, where that is within 20 dB of its largest in the cut. `frequency` in
/// normalized units. A value that is not finite makes the deviation infinite.
struct RcsDeviation {
  double ka{};
  double largest_db{}, at_theta_deg{};
  double mean_db{};
};
[[nodiscard]] RcsDeviation compare_rcs_with_mie(const RcsCut& cut, const MieSetup& setup, double frequency);

}  // namespace maxwell_dg::analytic
