#include "apps/examples/compare_with_mie/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/examples/analytic/mie_sphere.hpp"
#include "core/error.hpp"
#include "dg/observe/files/csv_table.hpp"

namespace maxwell_dg::analytic {
namespace {

constexpr std::array<std::string_view, 6> field_names{"Ex", "Ey", "Ez", "Hx", "Hy", "Hz"};

}  // namespace

ProbeSignals read_probes(const std::filesystem::path& file, const std::vector<std::pair<std::string, Vec3>>& probes,
                         const FileUnits& units) {
  const dg::Table table = dg::read_csv(file);
  const std::vector<double>& time = table.column("time");
  if (time.size() < 2) throw ConfigError(file.string() + ": fewer than two samples");
  const double step = (time.back() - time.front()) / static_cast<double>(time.size() - 1);
  for (std::size_t m = 1; m < time.size(); ++m) {
    if (std::abs(time[m] - time[m - 1] - step) > 1e-6 * step) {
      throw ConfigError(file.string() + ":" + std::to_string(m + 2) + ": steps in time are not equal");
    }
  }
  ProbeSignals signals{.t0 = units.time * time.front(), .dt = units.time * step, .probes = {}};
  for (const auto& [name, at] : probes) {
    ProbeSignals::Probe probe{.name = name, .at = at, .fields = {}};
    for (std::size_t f = 0; f < 6; ++f) {
      probe.fields[f] = table.column(name + "." + std::string(field_names[f]));
      for (double& value : probe.fields[f]) value *= f < 3 ? 1.0 : units.magnetic;
    }
    signals.probes.push_back(std::move(probe));
  }
  return signals;
}

namespace {

MieSphere mie_sphere(const MieSetup& setup, double k) {
  MieSphere::Options options{.radius = setup.radius,
                             .k = k,
                             .direction = setup.direction,
                             .polarization = setup.polarization,
                             .absorbing_radius = setup.absorbing_radius};
  if (setup.epsilon_r) options.epsilon_r = setup.epsilon_r(k);
  if (setup.coat_epsilon_r) options.coat = {.core_radius = setup.core_radius, .epsilon_r = setup.coat_epsilon_r(k)};
  return MieSphere(options);
}

}  // namespace

MieDeviation compare_with_mie(const ProbeSignals& signals, const MieSetup& setup, double frequency) {
  const double k = 2 * std::numbers::pi * frequency;
  const MieSphere mie = mie_sphere(setup, k);
  // The same samples of the waveform, so that the discrete sums of both spectra err alike.
  std::vector<double> incident(signals.probes.empty() ? 0 : signals.probes[0].fields[0].size());
  for (std::size_t m = 0; m < incident.size(); ++m) {
    incident[m] = setup.pulse(signals.t0 + static_cast<double>(m) * signals.dt);
  }
  const Complex reference = spectrum_at(incident, signals.dt, k, signals.t0);

  std::array<double, 2> error{}, size{};  // of E, of H
  for (const ProbeSignals::Probe& probe : signals.probes) {
    const Phasors exact = mie.scattered(probe.at);
    for (std::size_t f = 0; f < 6; ++f) {
      const Complex found = spectrum_at(probe.fields[f], signals.dt, k, signals.t0) / reference;
      const Complex expected = f < 3 ? exact.E[f] : exact.H[f - 3];
      error[f / 3] += std::norm(found - expected);
      size[f / 3] += std::norm(expected);
    }
  }
  return {.ka = k * setup.radius,
          .E = std::sqrt(error[0] / size[0]),
          .H = std::sqrt(error[1] / size[1]),
          .both = std::sqrt((error[0] + error[1]) / (size[0] + size[1]))};
}

double remaining_signal(const ProbeSignals& signals) {
  double largest = 0, last = 0;
  for (const ProbeSignals::Probe& probe : signals.probes) {
    for (const std::vector<double>& field : probe.fields) {
      for (std::size_t m = 0; m < field.size(); ++m) {
        largest = std::max(largest, std::abs(field[m]));
        if (20 * (m + 1) > 19 * field.size()) last = std::max(last, std::abs(field[m]));
      }
    }
  }
  return last / largest;
}

std::vector<RcsCut> read_rcs(const std::filesystem::path& file) {
  const dg::Table table = dg::read_csv(file);
  const auto& frequency = table.column("frequency");
  const auto& theta = table.column("theta_deg");
  const auto& phi = table.column("phi_deg");
  const auto& rcs = table.column("rcs");
  std::vector<RcsCut> cuts;
  for (std::size_t i = 0; i < rcs.size(); ++i) {
    if (cuts.empty() || cuts.back().frequency != frequency[i] || cuts.back().phi_deg != phi[i]) {
      cuts.push_back({.frequency = frequency[i], .phi_deg = phi[i], .theta_deg = {}, .rcs = {}});
    }
    cuts.back().theta_deg.push_back(theta[i]);
    cuts.back().rcs.push_back(rcs[i]);
  }
  if (cuts.empty()) throw ConfigError(file.string() + ": has no rows; let the run end");
  return cuts;
}

std::vector<double> exact_rcs(const RcsCut& cut, const MieSetup& setup, double frequency) {
  const MieSphere mie = mie_sphere(setup, 2 * std::numbers::pi * frequency);
  const double phi = cut.phi_deg * std::numbers::pi / 180;
  std::vector<double> exact;
  for (const double degrees : cut.theta_deg) {
    const double theta = degrees * std::numbers::pi / 180;
    exact.push_back(
        mie.radar_cross_section({std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)}));
  }
  return exact;
}

RcsPeak rcs_peak(std::span<const RcsCut> cuts, const MieSetup& setup, double unit) {
  std::map<double, std::array<double, 2>> sums;  // by frequency: found, exact
  for (const RcsCut& cut : cuts) {
    auto& [found, expected] = sums[cut.frequency];
    for (const double rcs : cut.rcs) found += rcs;
    for (const double rcs : exact_rcs(cut, setup, cut.frequency * unit)) expected += rcs;
  }
  const std::vector<std::pair<double, std::array<double, 2>>> rows(sums.begin(), sums.end());
  const auto peak = [&](std::size_t which) {
    const auto value = [&](std::size_t i) { return rows[i].second.at(which); };
    std::size_t top = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (value(i) > value(top)) top = i;
    }
    if (top == 0 || top + 1 >= rows.size()) {
      throw ConfigError("the cross section has no peak between the first and the last frequency of the file");
    }
    // Where the parabola through three points is level, by its divided differences.
    const double f0 = rows[top - 1].first, f1 = rows[top].first, f2 = rows[top + 1].first;
    const double d01 = (value(top) - value(top - 1)) / (f1 - f0), d12 = (value(top + 1) - value(top)) / (f2 - f1);
    return 0.5 * (f0 + f1) - 0.5 * d01 * (f2 - f0) / (d12 - d01);
  };
  return {.found = peak(0), .exact = peak(1)};
}

RcsDeviation compare_rcs_with_mie(const RcsCut& cut, const MieSetup& setup, double frequency) {
  const std::vector<double> exact = exact_rcs(cut, setup, frequency);
  const double strongest = *std::max_element(exact.begin(), exact.end());
  RcsDeviation result{.ka = 2 * std::numbers::pi * frequency * setup.radius};
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (exact[i] < strongest / 100) continue;
    double deviation = std::abs(10 * std::log10(cut.rcs[i] / exact[i]));
    if (!std::isfinite(deviation)) deviation = std::numeric_limits<double>::infinity();
    sum += deviation;
    ++count;
    if (deviation <= result.largest_db) continue;
    result.largest_db = deviation;
    result.at_theta_deg = cut.theta_deg[i];
  }
  result.mean_db = sum / count;
  return result;
}

}  // namespace maxwell_dg::analytic
