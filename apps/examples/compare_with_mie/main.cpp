// Compares what the probes of a finished run saw with the Mie series: a metal sphere at the origin, one plane wave.
// Exit code 0: all deviations within the bound; 1: not; 2: usage, or an output directory that does not fit.
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/config/load.hpp"
#include "apps/config/scaling.hpp"
#include "apps/examples/compare_with_mie/comparison.hpp"
#include "core/error.hpp"

namespace {

using namespace maxwell_dg;

struct Request {
  std::string directory;
  double radius = 0;  // metres, or the config's unit
  double absorbing_radius = 0;
  std::vector<double> frequencies;
  double bound = 0.03;
};

analytic::Vec3 unit(const config::Vector3& v) {
  const double length = std::hypot(v[0], v[1], v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}

analytic::MieSetup setup_of(const config::Config& config, const Request& request) {
  const config::Scaling scaling = config::Scaling::of(config);
  if (config.sources.size() != 1)
    throw ConfigError(config.file.string() + ": sources: exactly one plane wave is compared");
  const config::Source& source = config.sources[0];
  const config::Waveform& w = source.waveform;
  if (w.type != config::Waveform::Type::gaussian_pulse) {
    throw ConfigError(config.file.string() + ": sources.0.waveform.type: only a gaussian_pulse is compared");
  }
  analytic::GaussianPulse pulse(w.frequency * scaling.frequency, w.bandwidth * scaling.frequency, w.amplitude);
  if (w.delay) pulse.set_delay(*w.delay * scaling.time);
  const auto absorbing = request.absorbing_radius > 0 ? std::optional(request.absorbing_radius) : std::nullopt;
  return {request.radius, absorbing, unit(source.direction), unit(source.polarization), pulse};
}

bool compare(const Request& request) {
  const config::Config config = config::load_config(request.directory + "/config.resolved.yaml");
  const config::Scaling scaling = config::Scaling::of(config);
  const analytic::MieSetup setup = setup_of(config, request);
  std::vector<std::pair<std::string, analytic::Vec3>> places;
  for (const config::Probe& probe : config.outputs.probes) places.emplace_back(probe.name, probe.at);
  if (places.empty()) throw ConfigError(config.file.string() + ": outputs.probes: there are none to compare");
  const analytic::ProbeSignals signals = analytic::read_probes(request.directory + "/probes.csv", places,
                                                               {.time = scaling.time, .magnetic = scaling.magnetic});

  std::vector<double> frequencies = request.frequencies;
  if (frequencies.empty()) frequencies = {config.sources[0].waveform.frequency};
  std::printf("%zu probes, scattered field, relative L2 deviation from the Mie series%s\n", places.size(),
              setup.absorbing_radius ? " with the same absorbing boundary" : "");
  std::printf("  frequency      ka        E        H     both\n");
  bool good = true;
  for (const double frequency : frequencies) {
    const auto deviation = analytic::compare_with_mie(signals, setup, frequency * scaling.frequency);
    std::printf("  %9.4g  %6.3f  %5.2f %%  %5.2f %%  %5.2f %%\n", frequency, deviation.ka, 100 * deviation.E,
                100 * deviation.H, 100 * deviation.both);
    good = good && deviation.both <= request.bound;  // a NaN is no agreement
  }
  const double remaining = analytic::remaining_signal(signals);
  if (remaining > 1e-2) {
    std::printf("  the signals have not died away (%.1f %% is left): let the run last longer\n", 100 * remaining);
    good = false;
  }
  std::printf("%s: the bound is %.2g %%\n", good ? "they agree" : "they do not agree", 100 * request.bound);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  CLI::App app{"Compares a finished run of a metal sphere in a plane wave with the Mie series", "compare_with_mie"};
  app.add_option("DIRECTORY", request.directory, "outputs.directory of the run")->required();
  app.add_option("--radius", request.radius, "of the sphere, in the run's unit of length")
      ->required()
      ->check(CLI::PositiveNumber);
  app.add_option("--absorbing-radius", request.absorbing_radius, "compare with the series that ends at this radius");
  app.add_option("--frequency", request.frequencies, "one or more; default: the pulse's");
  app.add_option("--bound", request.bound, "largest relative deviation that passes; default: 0.03");
  try {
    app.parse(argc, argv);
    return compare(request) ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
