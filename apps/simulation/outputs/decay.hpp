#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/simulation/outputs/observers.hpp"
#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// How far the fields had died away when the run ended, or the share of it in which one of several ports was driven.
struct Decay {
  /// Of a wave out of a port, or of the fields at a probe.
  struct Level {
    std::string name;                  ///< of the port or the probe
    double peak{};                     ///< of amplitudes, to compare ports or probes by
    std::optional<double> level_db{};  ///< the last period against the peak; nothing where there was nothing
  };
  std::string driven{};              ///< a port; empty: none
  double peak{}, last{};             ///< energies in the config's units
  std::optional<double> level_db{};  ///< last against peak; nothing where there was no field
  std::vector<Level> waves{};        ///< out of each port, where they are looked at (wants_port_levels)
  std::vector<Level> probes{};       ///< those with spectra, where they are looked at (wants_probe_levels)
  std::optional<double> ended{};     ///< when time.until found that they had died away, in the config's units

  /// Those that count: what is at other ports or probes is rounding and crosstalk of the mesh.
  [[nodiscard]] std::vector<Level> strong_waves() const;
  [[nodiscard]] std::vector<Level> strong_probes() const;
  /// The highest of the levels of the energy and of what is strong: minus infinity where nothing is left, infinity
  /// where there was no field.
  [[nodiscard]] double highest_db() const;
};

/// In the order in which ports were driven; one without ports.
[[nodiscard]] std::vector<Decay> decays(const Plan& plan, const Observers& observers);

/// Warns where time.at_most has ended a run, or where a Fourier transform over it was asked for and fields were still
/// there at its end.
void warn_of_truncation(const Plan& plan, const std::vector<Decay>& decays);

/// Names of the ports that are driven, one after the other.
[[nodiscard]] std::vector<std::string> driven_in_turn(const Plan& plan);

/// "-43 dB"; "0" where there was nothing.
[[nodiscard]] std::string level_text(const std::optional<double>& level_db);

}  // namespace maxwell_dg::simulation
