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
  std::vector<Wave> waves{};         ///< of each port, where outputs.s_parameters looks at them
};

/// In the order in which ports were driven; one without ports.
[[nodiscard]] std::vector<Decay> decays(const Plan& plan, const Observers& observers);

/// Warns where a Fourier transform over the run was asked for and fields were still there when it ended.
void warn_of_truncation(const Plan& plan, const std::vector<Decay>& decays);

/// Names of the ports that are driven, one after the other.
[[nodiscard]] std::vector<std::string> driven_in_turn(const Plan& plan);

/// "-43 dB"; "0" where there was nothing.
[[nodiscard]] std::string level_text(const std::optional<double>& level_db);

}  // namespace maxwell_dg::simulation
