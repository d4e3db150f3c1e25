#include "apps/maxwell_dg/plausibility.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include "apps/maxwell_dg/decay.hpp"
#include "apps/maxwell_dg/mesh_warnings.hpp"
#include "apps/maxwell_dg/physics.hpp"
#include "apps/maxwell_dg/text.hpp"
#include "core/log.hpp"
#include "dg/mesh/box_tree.hpp"

namespace maxwell_dg {
namespace {

struct Unit {
  std::string_view symbol;
  double factor;
};
constexpr std::array time_units{Unit{"ns", 1e-9}, Unit{"ps", 1e-12}, Unit{"us", 1e-6}, Unit{"fs", 1e-15},
                                Unit{"ms", 1e-3}};
constexpr std::array frequency_units{Unit{"GHz", 1e9}, Unit{"MHz", 1e6}, Unit{"THz", 1e12}, Unit{"kHz", 1e3}};

bool is_si(const Plan& plan) {
  return plan.config.units == config::Units::si;
}

/// "; did you mean '2 ns'?": a number whose unit was left out, with the unit that makes `strangeness` least and at most
/// 1. "" where none does.
template <std::size_t n>
std::string guess_of_unit(const Plan& plan, double number, const std::array<Unit, n>& units,
                          const std::function<double(double)>& strangeness) {
  if (!is_si(plan)) return "";
  const auto best = std::ranges::min_element(units, {}, [&](const Unit& u) { return strangeness(number * u.factor); });
  if (!(strangeness(number * best->factor) <= 1)) return "";
  return "; did you mean '" + brief(number) + " " + std::string(best->symbol) + "'?";
}

/// How far a number is from a usual one, in units of what is still usual; both as powers.
double distance(double value, double usual, double factor) {
  return std::abs(std::log(value / usual)) / std::log(factor);
}

std::string guess_within_run(const Plan& plan, double time) {
  const double end = plan.config.end_time();
  if (time < 1e3 * end) return "";  // a unit is a thousand times another at least
  return guess_of_unit(plan, time, time_units, [&](double t) { return distance(t, 0.1 * end, 30); });
}

void warn(const Plan& plan, const std::string& key, const std::string& message) {
  log_warning(plan.config.blame(key, message));
}

void warn_of_step(const Plan& plan) {
  const double cfl = plan.config.solver.cfl;
  if (cfl > 1) {
    warn(plan, "solver.cfl",
         brief(cfl) +
             " times the largest time step that is known to be stable: the run will most probably diverge; "
             "take 1 or less");
  }
  constexpr long many = 100'000'000;
  if (plan.steps >= many) {
    warn(plan, plan.config.time.end ? "time.end" : "time.periods",
         brief(static_cast<double>(plan.steps)) + " steps are more than anybody waits for" + guess_of_end(plan));
  }
}

void warn_of_interval(const Plan& plan, const std::string& key, const std::optional<double>& every) {
  const double end = plan.config.end_time();
  if (!every || *every <= end * (1 + 1e-9)) return;
  warn(plan, key,
       time_text(*every, plan.config.units) + " is longer than the run, " + time_text(end, plan.config.units) +
           ": there is no file but the one of the beginning" + guess_within_run(plan, *every));
}

void warn_of_intervals(const Plan& plan) {
  const config::Outputs& outputs = plan.config.outputs;
  if (outputs.fields) warn_of_interval(plan, "outputs.fields.every", outputs.fields->every);
  if (outputs.surface_fields) warn_of_interval(plan, "outputs.surface_fields.every", outputs.surface_fields->every);
  if (outputs.energy && outputs.energy->every > plan.steps) {
    warn(plan, "outputs.energy.every",
         std::to_string(outputs.energy->every) + " steps are more than the run has, " + std::to_string(plan.steps) +
             ": there are no lines but those of the beginning and the end");
  }
}

void warn_of_waveform(const Plan& plan, const config::Source& source, const std::string& key) {
  const config::Waveform& waveform = source.waveform;
  using Type = config::Waveform::Type;
  const bool is_pulse = waveform.type == Type::gaussian_pulse;
  if (is_pulse && waveform.bandwidth > 2 * waveform.frequency) {
    warn(plan, key + ".bandwidth",
         "is more than twice the frequency, " + frequency_text(waveform.frequency, plan.config.units) +
             ": the band would begin below 0, and the spectrum is not the one that frequency and bandwidth describe; "
             "take a bandwidth of at most " +
             frequency_text(2 * waveform.frequency, plan.config.units) + ", or a ricker");
  }
  if (!is_pulse && waveform.type != Type::ricker) return;
  const double peak = dg::maxwell::peak_time(make_waveform(plan.config, waveform)) / plan.scaling.time;
  const std::size_t turns =
      source.type == config::Source::Type::port ? std::max<std::size_t>(driven_in_turn(plan).size(), 1) : 1;
  const double end = plan.config.end_time() / static_cast<double>(turns);
  if (peak <= end) return;
  warn(plan, waveform.delay ? key + ".delay" : key,
       "the pulse peaks at t = " + time_text(peak, plan.config.units) + ", after " +
           (turns > 1 ? "its port's share of the run, " : "the run ends, at ") + time_text(end, plan.config.units) +
           (waveform.delay ? guess_within_run(plan, peak) : "; simulate a longer time"));
}

/// A wavelength that the mesh is a tiny part of: it takes for ever to pass.
void warn_of_frequencies(const Plan& plan) {
  constexpr double tiny = 1e-3;
  if (plan.config.system != config::SystemKind::maxwell) return;
  const double diagonal = dg::bounding_box(plan.discretization->mesh.vertices).diagonal();
  for (std::size_t i = 0; i < plan.config.sources.size(); ++i) {
    const config::Source& source = plan.config.sources[i];
    if (!source.has_waveform() || source.waveform.type == config::Waveform::Type::expression) continue;
    const double frequency = source.waveform.frequency;
    const auto wavelengths = [&](double f) { return diagonal * f * plan.scaling.frequency; };
    if (wavelengths(frequency) >= tiny) continue;
    const double wavelength = 1 / (frequency * plan.scaling.frequency);
    warn(plan, "sources." + std::to_string(i) + ".waveform.frequency",
         "the wavelength, " + length_text(wavelength, plan.config.units) + ", is " + brief(1 / wavelengths(frequency)) +
             " times the diagonal of the mesh, " + length_text(diagonal, plan.config.units) +
             guess_of_unit(plan, frequency, frequency_units,
                           [&](double f) { return distance(wavelengths(f), 3, 100); }) +
             " Or is mesh.scale too small?");
  }
}

}  // namespace

std::string guess_of_end(const Plan& plan) {
  if (!plan.config.time.end) return "";
  return guess_of_unit(plan, *plan.config.time.end, time_units,
                       [&](double end) { return distance(end * plan.scaling.time / plan.largest_dt, 1e4, 1e3); });
}

void warn_of_scale(const Plan& plan) {
  constexpr double coarse = 1, large = 50;  // points per wavelength; wavelengths
  const double frequency = highest_frequency(plan.config);
  if (frequency <= 0 || !is_si(plan)) return;
  const double wavelengths =
      dg::bounding_box(plan.discretization->mesh.vertices).diagonal() * frequency * plan.scaling.frequency;
  std::vector<double> points = points_per_wavelength(plan, frequency);
  const auto middle = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
  std::ranges::nth_element(points, middle);
  if (*middle >= coarse || wavelengths <= large) return;
  struct Drawn {
    double factor;
    const char* unit;
    const char* symbol;
  };
  constexpr std::array units{Drawn{1e-3, "millimetres", "mm"}, Drawn{1e-6, "micrometres", "um"},
                             Drawn{1e-2, "centimetres", "cm"}, Drawn{1e-9, "nanometres", "nm"}};
  constexpr double enough = 2;  // points per wavelength that a wave takes
  const auto fits = [&](const Drawn& unit) {
    return *middle / unit.factor >= enough && wavelengths * unit.factor > 0.02;
  };
  const auto found = std::ranges::find_if(units, fits);
  if (found == units.end()) return;
  const bool is_box = plan.config.mesh.box.has_value();
  warn(plan, is_box ? "mesh.box" : "mesh.scale",
       "the mesh is " + brief(wavelengths) + " wavelengths large at " + frequency_text(frequency, plan.config.units) +
           ", and half of its elements have less than " + brief(*middle) + " points per wavelength: was it drawn in " +
           found->unit +
           (is_box ? std::string("? Numbers without a unit are metres; did you mean texts such as '10 ") +
                         found->symbol + "'?"
                   : "? Did you mean scale: " + brief(plan.config.mesh.scale * found->factor) + "?"));
}

void warn_of_config(const Plan& plan) {
  warn_of_step(plan);
  warn_of_intervals(plan);
  for (std::size_t i = 0; i < plan.config.sources.size(); ++i) {
    if (!plan.config.sources[i].has_waveform()) continue;
    warn_of_waveform(plan, plan.config.sources[i], "sources." + std::to_string(i) + ".waveform");
  }
  warn_of_frequencies(plan);
}

}  // namespace maxwell_dg
