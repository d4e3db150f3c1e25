#include "apps/simulation/checks/source_start.hpp"

#include <algorithm>
#include <cmath>

#include "apps/config/resolve.hpp"
#include "apps/config/scaling.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/current_samples.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/text.hpp"
#include "dg/maxwell/waveform_band.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

constexpr double small = 2e-3;     // of the amplitude
constexpr int sample_count = 200;  // of an expression, over the time that matters

/// Fields that are given at t = 0 may be those of the source.
bool starts_from_zero(const config::Config& config) {
  return !has_initial_fields(config, config::make_system(config));
}

void require_finite(const config::Config& config, const std::string& key, double value) {
  if (!std::isfinite(value)) refuse(config, key, "is not a finite number at t = 0");
}

/// The largest envelope between two times.
double largest_between(const maxwell::Waveform& waveform, double from, double to) {
  double largest = 0;
  for (int i = 0; i <= sample_count; ++i) {
    const double t = from + (to - from) * i / sample_count;
    largest = std::max(largest, maxwell::envelope_at(waveform, t));
  }
  const bool peaks =
      waveform.kind == maxwell::Waveform::Kind::gaussian_pulse || waveform.kind == maxwell::Waveform::Kind::ricker;
  const double peak = peaks ? maxwell::peak_time(waveform) : from;
  return peak >= from && peak <= to ? std::max(largest, maxwell::envelope_at(waveform, peak)) : largest;
}

/// Against which a beginning is small: the amplitude; of an expression, its largest value during the run.
double size_of(const config::Config& config, const maxwell::Waveform& waveform) {
  if (waveform.kind != maxwell::Waveform::Kind::expression) return std::abs(waveform.amplitude);
  return largest_between(waveform, 0, config.end_time() * config::Scaling::of(config).time);
}

/// `what` drives the fields with this waveform; `behind` is what follows where it does not start from zero.
void warn_of_jump(const config::Config& config, const std::string& key, const config::Waveform& of_source,
                  const std::string& what, const std::string& behind) {
  const maxwell::Waveform waveform = make_waveform(config, of_source);
  const double first = maxwell::envelope_at(waveform, 0);
  require_finite(config, key + ".waveform", first);
  const double size = size_of(config, waveform);
  if (!starts_from_zero(config) || !(first > small * size)) return;
  const bool has_delay = waveform.kind != maxwell::Waveform::Kind::expression;
  warn(config, key + ".waveform",
       "at t = 0 " + what + " begins with a jump, with up to " + brief(first / size) + " of its amplitude; " + behind +
           ". " + (has_delay ? "Give a later `delay`" : "Let it grow from zero"));
}

}  // namespace

void warn_of_start(const config::Config& config, const std::string& key, const config::Current& source,
                   const dg::Discretization& d) {
  if (!starts_from_zero(config)) return;
  const double end = config.end_time() * config::Scaling::of(config).time;
  for (const auto& [name, formulas] :
       {std::pair{"density", &source.density}, {"imaginary_density", &source.imaginary_density}}) {
    const CurrentSamples samples(config, key, source, *formulas, d);
    const double first = samples.largest_at(0);
    require_finite(config, key + "." + name, first);
    double largest = 0;
    for (int i = 0; i <= sample_count; ++i) largest = std::max(largest, samples.largest_at(end * i / sample_count));
    if (!(first > small * largest)) continue;
    warn(config, key + "." + name,
         "begins with a jump, " + brief(first / largest) +
             " of its largest value at t = 0; fields that start from zero do not "
             "fit it, and charges may stay behind. Let it grow from zero");
  }
}

void warn_of_wave_at_start(const config::Config& config, const std::string& key, const maxwell::Waveform& waveform,
                           const maxwell::TimesInMesh& times) {
  require_finite(config, key + ".waveform", maxwell::envelope_at(waveform, times.first));
  if (!starts_from_zero(config)) return;
  const double there = largest_between(waveform, times.last, times.first);
  if (!(there > small * size_of(config, waveform))) return;
  const double factor = 1 / config::Scaling::of(config).electric;
  warn(config, key + ".waveform",
       "at t = 0 the wave is already in the mesh, up to " + brief(there * factor) +
           config::unit_in(config.units, " V/m") +
           " of it; fields that start at zero do not fit it, and charges stay behind. Give a later "
           "`delay`, or move the origin of the mesh");
}

void warn_of_start(const config::Config& config, const std::string& key, const config::Dipole& source) {
  const bool is_electric = source.kind == config::Dipole::Kind::electric;
  warn_of_jump(config, key, source.waveform, "the moment",
               is_electric ? "fields that start at zero do not fit it, and the charges of a static dipole stay behind"
                           : "fields that start at zero do not fit it, and the field of a static magnet stays behind");
}

void warn_of_start(const config::Config& config, const std::string& key, const config::DrivenPorts& source) {
  warn_of_jump(config, key, source.waveform, "the wave of the port",
               "what comes in is not the pulse but one with a steep front");
}

}  // namespace maxwell_dg::simulation
