#include "dg/observe/antenna_figures.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace maxwell_dg::dg {

FeedFigures feed_figures(const PortTransforms& at_ports, const PortTransforms::Amplitudes& amplitudes, std::size_t turn,
                         std::size_t frequency) {
  const auto column = static_cast<Eigen::Index>(turn);
  const std::size_t driven = at_ports.driven()[turn];
  const maxwell::PortMode& mode = at_ports.ports()[driven].mode;
  const double Z = mode.impedance(at_ports.frequencies()[frequency]);
  FeedFigures figures;
  for (std::size_t p = 0; p < at_ports.ports().size(); ++p) {
    const auto row = static_cast<Eigen::Index>(p);
    const std::complex<double> V = amplitudes.V(row, column), I = amplitudes.I(row, column);
    const double power = (V * std::conj(I)).real() / 2 - amplitudes.uneven(row, column);
    if (p != driven) {
      figures.coupled -= power;
      continue;
    }
    const std::complex<double> impedance = mode.reference_impedance(at_ports.frequencies()[frequency]) / Z * V / I;
    figures.resistance = impedance.real();
    figures.reactance = impedance.imag();
    figures.reflection = std::abs((V - Z * I) / (V + Z * I));
    figures.incident = std::norm(V + Z * I) / (8 * Z);
    figures.accepted = power;
  }
  return figures;
}

AntennaFigures antenna_figures(const maxwell::MainLobe& lobe, double radiated, const std::optional<FeedFigures>& feed,
                               const AntennaUnits& units) {
  using std::numbers::pi;
  const auto dbi = [&](double power) { return 10 * std::log10(4 * pi * lobe.intensity / power); };
  const auto degrees = [](const std::optional<double>& angle) {
    return angle ? *angle * 180 / pi : std::numeric_limits<double>::quiet_NaN();
  };
  AntennaFigures figures;
  if (feed) {
    figures = {{"resistance", feed->resistance * units.impedance},
               {"reactance", feed->reactance * units.impedance},
               {"s11_db", 20 * std::log10(feed->reflection)},
               {"vswr", (1 + feed->reflection) / (1 - feed->reflection)}};
  }
  figures.emplace_back("directivity_dbi", dbi(radiated));
  if (feed) {
    figures.emplace_back("gain_dbi", dbi(feed->accepted));
    figures.emplace_back("realized_gain_dbi", dbi(feed->incident));
    figures.emplace_back("radiation_efficiency", radiated / feed->accepted);
    figures.emplace_back("total_efficiency", radiated / feed->incident);
  }
  figures.emplace_back("theta_deg", degrees(lobe.direction.theta));
  figures.emplace_back("phi_deg", degrees(lobe.direction.phi));
  figures.emplace_back("front_to_back_db", lobe.backward ? 10 * std::log10(lobe.intensity / *lobe.backward)
                                                         : std::numeric_limits<double>::quiet_NaN());
  figures.emplace_back("beam_width_e_deg", degrees(lobe.width_E));
  figures.emplace_back("beam_width_h_deg", degrees(lobe.width_H));
  if (feed) {
    figures.emplace_back("incident_power", feed->incident * units.power);
    figures.emplace_back("accepted_power", feed->accepted * units.power);
    figures.emplace_back("coupled_power", feed->coupled * units.power);
  }
  figures.emplace_back("radiated_power", radiated * units.power);
  if (feed) figures.emplace_back("lost_power", (feed->accepted - feed->coupled - radiated) * units.power);
  return figures;
}

}  // namespace maxwell_dg::dg
