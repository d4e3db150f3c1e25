#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dg/maxwell/antenna.hpp"
#include "dg/observe/port_transforms.hpp"

namespace maxwell_dg::dg {

/// What a driven port says of an antenna, in the solver's units. Powers are means, over the square of the amplitude of
/// the voltage that drives it. All other ports end in their own impedance.
struct FeedFigures {
  double resistance{}, reactance{};  ///< the input impedance: of a guide's mode by the ratio of its E and H
  double reflection{};               ///< |S11|
  /// Powers: what the port sends, and that less what comes back; of a lumped port less, too, what its film takes of a
  /// field that is not even (maxwell::power_of_unevenness).
  double incident{}, accepted{};
  double coupled{};  ///< power into the impedances of all other ports, with all that their films take
};

/// Of the port that is driven in this turn.
[[nodiscard]] FeedFigures feed_figures(const PortTransforms& at_ports, const PortTransforms::Amplitudes& amplitudes,
                                       std::size_t turn, std::size_t frequency);

/// What is known of an antenna at a frequency, by the names of columns; nan where it is not defined.
using AntennaFigures = std::vector<std::pair<std::string, double>>;

/// Factors from the solver's units to those of files.
struct AntennaUnits {
  double power = 1, impedance = 1;
};

/// By the definitions of IEEE Std 145-2013, in this order: of a feed resistance, reactance, s11_db, vswr;
/// directivity_dbi (the largest), and of a feed gain_dbi (4 pi times the intensity over the accepted power),
/// realized_gain_dbi (over the incident power), radiation_efficiency (radiated over accepted power), total_efficiency
/// (over incident power); theta_deg and phi_deg of the main lobe, front_to_back_db (its intensity over that in the
/// opposite direction), beam_width_e_deg and beam_width_h_deg; of a feed incident_power, accepted_power, coupled_power;
/// radiated_power; of a feed lost_power, which is what is left of the accepted power.
[[nodiscard]] AntennaFigures antenna_figures(const maxwell::MainLobe& lobe, double radiated,
                                             const std::optional<FeedFigures>& feed, const AntennaUnits& units);

}  // namespace maxwell_dg::dg
