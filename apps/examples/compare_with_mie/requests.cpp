#include "apps/examples/compare_with_mie/requests.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "apps/config/load.hpp"
#include "apps/config/scaling.hpp"
#include "apps/examples/compare_with_mie/comparison.hpp"
#include "core/error.hpp"

namespace maxwell_dg::analytic {
namespace {

Vec3 unit(const config::Vector3& v) {
  const double length = std::hypot(v[0], v[1], v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}

const config::PlaneWave& plane_wave_of(const config::Config& config) {
  if (config.sources.size() != 1 || !std::holds_alternative<config::PlaneWave>(config.sources[0])) {
    throw ConfigError(config.file.string() + ": sources: exactly one plane wave is compared");
  }
  return std::get<config::PlaneWave>(config.sources[0]);
}

/// The permittivity of the material that a region has, as exp(-i omega t) has it; see dg/maxwell/dispersion.hpp.
std::function<Complex(double)> permittivity_of(const config::Config& config, const std::string& region) {
  const auto found = std::ranges::find_if(config.materials, [&](const config::Material& m) {
    return std::ranges::find(m.region, region) != m.region.end();
  });
  if (found == config.materials.end()) {
    throw ConfigError(config.file.string() + ": materials: no entry names the region '" + region + "'");
  }
  const auto constant = [&](const std::string& name) {
    return std::get<double>(found->constants.at(name).components.front());
  };
  const config::Scaling scaling = config::Scaling::of(config);
  const double epsilon = constant("epsilon_r"), sigma = constant("sigma") * scaling.sigma;
  return [=, poles = found->dispersion](double w) {
    const double unit = 2 * std::numbers::pi * scaling.frequency;
    const Complex i(0, 1);
    Complex sum = epsilon + i * sigma / w;
    for (const config::Pole& p : poles) {
      const double plasma = unit * p.plasma_frequency, own = unit * p.frequency;
      switch (p.model) {
        case config::Pole::Model::debye: sum += p.delta_epsilon / (1.0 - i * w * p.tau * scaling.time); break;
        case config::Pole::Model::drude: sum -= plasma * plasma / (w * w + i * w * unit * p.collision_frequency); break;
        case config::Pole::Model::lorentz:
          sum += p.delta_epsilon * own * own / (own * own - w * w - i * w * unit * p.damping);
          break;
      }
    }
    return sum;
  };
}

/// All but the pulse.
MieSetup setup_of(const config::Config& config, const Request& request) {
  const config::PlaneWave& source = plane_wave_of(config);
  MieSetup setup{
      .radius = request.radius, .direction = unit(source.direction), .polarization = unit(source.polarization)};
  if (!request.medium.empty()) setup.epsilon_r = permittivity_of(config, request.medium);
  if (!request.coat.empty()) {
    setup.coat_epsilon_r = permittivity_of(config, request.coat);
    setup.core_radius = request.core_radius;
  }
  if (request.absorbing_radius > 0) setup.absorbing_radius = request.absorbing_radius;
  return setup;
}

GaussianPulse pulse_of(const config::Config& config) {
  const config::Scaling scaling = config::Scaling::of(config);
  const config::Waveform& w = plane_wave_of(config).waveform;
  if (w.type != config::Waveform::Type::gaussian_pulse) {
    throw ConfigError(config.file.string() + ": sources.0.waveform.type: only a gaussian_pulse is compared");
  }
  GaussianPulse pulse(w.frequency * scaling.frequency, w.bandwidth * scaling.frequency, w.amplitude);
  if (w.delay) pulse.set_delay(*w.delay * scaling.time);
  return pulse;
}

}  // namespace

bool compare_probes(const Request& request) {
  const config::Config config = config::load_config(request.directory + "/config.resolved.yaml");
  const config::Scaling scaling = config::Scaling::of(config);
  MieSetup setup = setup_of(config, request);
  setup.pulse = pulse_of(config);
  std::vector<std::pair<std::string, Vec3>> places;
  for (const config::Probe& probe : config.outputs.probes) places.emplace_back(probe.name, probe.at);
  if (places.empty()) throw ConfigError(config.file.string() + ": outputs.probes: there are none to compare");
  const ProbeSignals signals =
      read_probes(request.directory + "/probes.csv", places, {.time = scaling.time, .magnetic = scaling.magnetic});

  std::vector<double> frequencies = request.frequencies;
  if (frequencies.empty()) frequencies = {plane_wave_of(config).waveform.frequency};
  std::printf("%zu probes, scattered field, relative L2 deviation from the Mie series%s\n", places.size(),
              setup.absorbing_radius ? " with the same absorbing boundary" : "");
  std::printf("  frequency      ka        E        H     both\n");
  bool good = true;
  for (const double frequency : frequencies) {
    const auto deviation = compare_with_mie(signals, setup, frequency * scaling.frequency);
    std::printf("  %9.4g  %6.3f  %5.2f %%  %5.2f %%  %5.2f %%\n", frequency, deviation.ka, 100 * deviation.E,
                100 * deviation.H, 100 * deviation.both);
    good = good && deviation.both <= request.bound;  // a NaN is no agreement
  }
  const double remaining = remaining_signal(signals);
  if (remaining > 1e-2) {
    std::printf("  the signals have not died away (%.1f %% is left): let the run last longer\n", 100 * remaining);
    good = false;
  }
  std::printf("%s: the bound is %.2g %%\n", good ? "they agree" : "they do not agree", 100 * request.bound);
  return good;
}

bool compare_rcs(const Request& request) {
  const config::Config config = config::load_config(request.directory + "/config.resolved.yaml");
  const MieSetup setup = setup_of(config, request);
  std::printf("radar cross section, deviation from the Mie series%s within 20 dB of each cut's largest\n",
              setup.absorbing_radius ? " with the same absorbing boundary" : "");
  std::printf("  frequency      ka     phi   largest      at   mean\n");
  bool good = true;
  const double unit = config::Scaling::of(config).frequency;
  const std::vector<RcsCut> cuts = read_rcs(request.directory + "/rcs.csv");
  for (const RcsCut& cut : cuts) {
    const RcsDeviation deviation = compare_rcs_with_mie(cut, setup, cut.frequency * unit);
    std::printf("  %9.4g  %6.3f  %6.1f  %5.3f dB  %6.1f  %5.3f dB\n", cut.frequency, deviation.ka, cut.phi_deg,
                deviation.largest_db, deviation.at_theta_deg, deviation.mean_db);
    good = good && deviation.largest_db <= request.bound;
  }
  if (request.peak_bound > 0) {
    const RcsPeak peak = rcs_peak(cuts, setup, unit);
    const double off = peak.found / peak.exact - 1;
    std::printf("  the peak lies at %.6g instead of %.6g: %+.2f %% off, the bound is %.2g %%\n", peak.found, peak.exact,
                100 * off, 100 * request.peak_bound);
    good = good && std::abs(off) <= request.peak_bound;
  }
  std::printf("%s: the bound is %.2g dB\n", good ? "they agree" : "they do not agree", request.bound);
  return good;
}

}  // namespace maxwell_dg::analytic
