#include "apps/simulation/checks/unit_checks.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "apps/config/findings.hpp"
#include "apps/config/mesh_keys.hpp"
#include "apps/config/named_parts.hpp"
#include "apps/config/unit_guess.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/mesh_warnings.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/text.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/time/stable_step.hpp"

namespace maxwell_dg::simulation {
namespace {

using config::guess_of_unit;
using config::strangeness;
using core::Dimension;

double diagonal(const Plan& plan) {
  return plan.whole.diagonal;
}

bool has_unit(const Plan& plan, const std::string& key) {
  return plan.config.with_unit.contains(key);
}

/// How to say that such a frequency is meant.
std::string way_out(double frequency) {
  return " Frequencies without a unit are in Hz; if that is meant, write '" + core::format_number(frequency) + " Hz'";
}

/// A wavelength that the mesh is a tiny part of: it takes for ever to pass.
void check_frequency(const Plan& plan, double frequency, const std::string& key, config::Findings& findings) {
  constexpr double tiny = 1e-3, most_steps = 1e7;  // of the mesh in wavelengths; of a period
  const auto wavelengths = [&](double f) { return diagonal(plan) * f * plan.scaling.frequency; };
  if (wavelengths(frequency) >= tiny) return;
  const double wavelength = 1 / (frequency * plan.scaling.frequency);
  const std::string guess = guess_of_unit(plan.config, frequency, Dimension::frequency,
                                          [&](double f) { return strangeness(wavelengths(f), 3, 100); });
  const double steps = wavelength / dg::stable_step(*plan.discretization, plan.problem, *plan.method);
  const std::string message = "the wavelength, " + length_text(wavelength, plan.config.units) + ", is " +
                              brief(1 / wavelengths(frequency)) + " times the diagonal of the mesh, " +
                              length_text(diagonal(plan), plan.config.units) + ", and a period takes " + brief(steps) +
                              " steps" + guess;
  if (!guess.empty() && !has_unit(plan, key) && steps > most_steps) {
    findings.add(key, message + way_out(frequency));
  } else {
    warn(plan.config, key, message + (guess.empty() ? "; is mesh.scale too small?" : " Or is mesh.scale too small?"));
  }
}

/// A pulse so narrow in frequency that it has not begun when the run ends.
void check_bandwidth(const Plan& plan, const config::Waveform& waveform, const std::string& key,
                     config::Findings& findings) {
  constexpr double far_too_late = 1e3;
  if (has_unit(plan, key) || waveform.delay) return;
  const double peak = dg::maxwell::peak_time(make_waveform(plan.config, waveform)) / plan.scaling.time;
  const double end = plan.config.end_time();
  const std::string guess = guess_of_unit(plan.config, waveform.bandwidth, Dimension::frequency,
                                          [&](double b) { return strangeness(b / waveform.frequency, 0.5, 50); });
  if (guess.empty() || peak < far_too_late * end) return;
  findings.add(key, "makes a pulse that peaks at t = " + time_text(peak, plan.config.units) +
                        ", long after the run ends, at " + time_text(end, plan.config.units) + guess +
                        way_out(waveform.bandwidth));
}

void check_waveforms(const Plan& plan, config::Findings& findings) {
  using Type = config::Waveform::Type;
  if (!plan.config.equations().is_maxwell) return;
  for (const auto& [source, waveform] : config::waveforms_of(plan.config)) {
    if (waveform.type == Type::expression) continue;
    const std::string key = source + ".waveform.";
    check_frequency(plan, waveform.frequency, key + "frequency", findings);
    if (waveform.type == Type::gaussian_pulse) check_bandwidth(plan, waveform, key + "bandwidth", findings);
  }
}

void check_thickness(const Plan& plan, double thickness, const std::string& key, config::Findings& findings) {
  const double whole = diagonal(plan);
  if (thickness < whole) return;
  const std::string guess = has_unit(plan, key)
                                ? std::string("; is the unit of the mesh right?")
                                : guess_of_unit(plan.config, thickness, Dimension::length,
                                                [&](double t) { return strangeness(t / whole, 0.05, 20); });
  findings.add(key, "the PML is thicker than the whole mesh, whose diagonal is " +
                        length_text(whole, plan.config.units) + guess);
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// A stretch that leaves the PML without a wave that it could damp.
void check_kappa(const Plan& plan, config::Findings& findings) {
  constexpr double coarse = 1;  // points per wavelength
  const double frequency = highest_frequency(plan.config);
  if (!plan.config.pml || plan.config.pml->kappa == 1 || frequency <= 0) return;
  const config::Pml& pml = *plan.config.pml;
  const std::vector<double> everywhere = points_per_wavelength(plan, frequency);
  const std::vector<bool> is_stretched =
      config::region_cells(plan.config, "pml.region", pml.region, plan.discretization->mesh);
  std::vector<double> points;
  for (std::size_t k = 0; k < everywhere.size(); ++k) {
    if (is_stretched[k]) points.push_back(everywhere[k]);
  }
  const double stretch = dg::maxwell::stretched_thickness(1, pml.kappa);
  if (points.empty() || median_of(points) >= coarse || median_of(points) * stretch < coarse) return;
  findings.add("pml.kappa", "makes the elements of the PML " + brief(stretch) +
                                " times as long along its depth, so that half of them have less than " +
                                brief(median_of(points)) + " points per wavelength at " +
                                frequency_text(frequency, plan.config.units) +
                                ": they reflect waves, and do not damp them; a kappa of 1 to 10 is usual");
}

/// A frequency shift so far above the band that the PML does not damp.
void check_alpha(const Plan& plan, config::Findings& findings) {
  constexpr double far_above = 10;
  if (!plan.config.pml || !plan.config.pml->alpha) return;
  const double alpha = *plan.config.pml->alpha, highest = highest_frequency(plan.config);
  // Where no source has a frequency: that of waves a hundredth of the thickness long.
  const double of_thickness = 100 / (plan.config.pml->thickness * plan.scaling.frequency);
  if (alpha <= far_above * (highest > 0 ? highest : of_thickness)) return;
  findings.add("pml.alpha",
               "is " + frequency_text(alpha, plan.config.units) + ", far above " +
                   (highest > 0 ? "the highest frequency of the sources, " + frequency_text(highest, plan.config.units)
                                : "all that a PML of this thickness is for") +
                   ": the PML damps what is faster than alpha alone, and so does not absorb; leave it out, or take a "
                   "part of the lowest frequency");
}

void check_layers(const Plan& plan, config::Findings& findings) {
  if (plan.config.pml) check_thickness(plan, plan.config.pml->thickness, "pml.thickness", findings);
  check_alpha(plan, findings);
  for (const auto& side : config::boundaries_of<config::PmlSide>(plan.config)) {
    check_thickness(plan, side.value.thickness, side.key + ".thickness", findings);
  }
}

/// Whether the user said in which unit the mesh is.
bool mesh_has_unit(const Plan& plan) {
  if (!plan.config.mesh.box) return plan.config.places.contains("mesh.scale");
  return std::ranges::any_of(plan.config.with_unit, [](const std::string& key) { return key.starts_with("mesh.box"); });
}

/// A mesh so coarse and so large, in wavelengths, that its unit was probably not metres.
void check_scale(const Plan& plan, config::Findings& findings) {
  constexpr double coarse = 1, hopeless = 0.2, large = 50;  // points per wavelength; wavelengths
  const double frequency = highest_frequency(plan.config);
  if (frequency <= 0 || plan.config.units != config::Units::si) return;
  if (config::has_own_unit(plan.config.mesh)) return;  // metres are meant
  const double wavelengths = diagonal(plan) * frequency * plan.scaling.frequency;
  const double middle = median_of(points_per_wavelength(plan, frequency));
  if (middle >= coarse || wavelengths <= large) return;
  const std::span<const config::UsualUnit> units = config::usual_units(Dimension::length);
  constexpr double enough = 2;  // points per wavelength that a wave takes
  const auto fits = [&](const config::UsualUnit& unit) {
    return middle / unit.factor >= enough && wavelengths * unit.factor > 0.02;
  };
  const auto found = std::ranges::find_if(units, fits);
  if (found == units.end()) return;
  const bool is_box = plan.config.mesh.box.has_value();
  const std::string key = is_box ? "mesh.box" : "mesh.scale";
  const std::string message =
      "the mesh is " + brief(wavelengths) + " wavelengths large at " + frequency_text(frequency, plan.config.units) +
      ", and half of its elements have less than " + brief(middle) + " points per wavelength: was it drawn in " +
      std::string(found->plural) +
      (is_box ? std::string("? Numbers without a unit are metres; did you mean texts such as '10 ") +
                    std::string(found->symbol) + "'?"
              : "? Did you mean scale: " + brief(plan.config.mesh.scale.value_or(1) * found->factor) + "?");
  if (middle >= hopeless || mesh_has_unit(plan)) return warn(plan.config, key, message);
  findings.add(key, message + " No wave gets through such elements. If metres are meant, write " +
                        (is_box ? "them as '1 m'" : "scale: 1") + ", and take a lower frequency");
}

}  // namespace

void check_units(const Plan& plan) {
  config::Findings findings(plan.config);
  check_kappa(plan, findings);
  findings.throw_if_any();  // the next one would take the stretch for the mesh's own
  check_scale(plan, findings);
  check_waveforms(plan, findings);
  check_layers(plan, findings);
  findings.throw_if_any();
}

}  // namespace maxwell_dg::simulation
