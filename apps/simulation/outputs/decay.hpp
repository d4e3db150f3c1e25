#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/simulation/outputs/observers.hpp"
#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// How far the fields had died away when the run ended, or the share of it in which one of several ports was driven.
struct Decay {
  struct Wave {
    std::string port;
    double peak{};                     ///< of what goes out there, to compare ports by
    std::optional<double> level_db{};  ///< its last period against its peak; nothing where there was no wave
  };
  std::string driven{};              ///< a port; empty: none
  double peak{}, last{};             ///< energies in the config's units
  std::optional<double> level_db{};  ///< last against peak; nothing where there was no field
  std::vector<Wave> waves{};         ///< of each port, where they are looked at (wants_port_levels)
  std::optional<double> ended{};     ///< when time.until found that they had died away, in the config's units

  /// Those that count: what goes out elsewhere is rounding and crosstalk of the mesh.
  [[nodiscard]] std::vector<Wave> strong_waves() const;
  /// The highest of the levels of the energy and of strong waves: minus infinity where nothing is left, infinity where
  /// there was no field.
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
