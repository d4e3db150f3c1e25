#include "apps/simulation/checks/mesh_warnings.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "apps/config/transforms.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/feature_checks.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/text.hpp"
#include "core/log.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/quality.hpp"

namespace maxwell_dg::simulation {
namespace {

/// The dispersion error of order N falls with refinement only once 2 N + 1 > k h (Ainsworth, J. Comput. Phys. 198,
/// 2004), k being 2 pi over the wavelength: above 2 pi N / (2 N + 1) points. With fewer than pi no order carries a
/// wave.
constexpr double fewest_points = std::numbers::pi;
constexpr double costly = 3;  // times shorter than the step of the others

std::string length_unit(const Plan& plan) {
  return config::unit_in(plan.config.units, " m");
}

/// [element] the fastest speed.
std::vector<double> speeds(const Plan& plan) {
  return dg::in_each_element(plan.problem, plan.problem.system.max_speed, plan.discretization->K());
}

void warn_of_resolution(const Plan& plan) {
  const double frequency = highest_frequency(plan.config);
  if (frequency <= 0) return;
  const auto [points, k] = worst_resolution(plan, frequency);
  if (points >= fewest_points) return;
  const dg::Mesh& mesh = plan.discretization->mesh;
  log_warning("the mesh has " + brief(points) +
              " points per wavelength (order times wavelength over longest edge) at " +
              frequency_text(frequency, plan.config.units) + ", the highest frequency of the sources, in " +
              dg::where_is(mesh, k, length_unit(plan)) + ", whose longest edge is " + brief(dg::longest_edge(mesh, k)) +
              length_unit(plan) + ": waves need " + brief(fewest_points) + ", which it has there up to " +
              frequency_text(frequency * points / fewest_points, plan.config.units) +
              "; refine it, raise solver.order, or take a source of lower frequency or less bandwidth");
}

void warn_of_slivers(const Plan& plan) {
  const dg::Discretization& d = *plan.discretization;
  const std::vector<double> speed = speeds(plan);
  std::vector<double> step(d.K());  // but for a factor that all have in common
  for (std::size_t k = 0; k < d.K(); ++k) step[k] = d.inscribed_radius(k) / speed[k];
  const std::size_t rank = d.K() / 100;
  if (rank == 0) return;  // one in so few elements is no exception
  std::vector<std::size_t> order(d.K());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto shorter = [&](std::size_t a, std::size_t b) { return step[a] < step[b]; };
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rank), order.end(), shorter);
  const double usual = step[order[rank]];
  const std::size_t worst =
      *std::min_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rank), shorter);
  const double factor = usual / step[worst];
  if (factor < costly) return;
  const auto few = std::count_if(step.begin(), step.end(), [&](double s) { return s * costly <= usual; });
  log_warning("the time step is " + brief(factor) + " times shorter than 99 % of the elements need, because of " +
              std::to_string(few) + " of " + std::to_string(d.K()) + "; the worst is " +
              dg::where_is(d.mesh, worst, length_unit(plan)) + ", of quality " +
              brief(dg::quality(d.mesh, d.geometry, worst)) + " (0 flat, 1 regular) and inscribed radius " +
              brief(d.inscribed_radius(worst)) + ": a better mesh there makes the whole run faster by that factor");
}

/// The lowest frequency that is asked for; where none is, the lowest of the sources' carriers; 0 where no source has
/// one.
double lowest_frequency(const Plan& plan) {
  std::vector<double> frequencies;
  for (const config::Transform& asked : config::transforms(plan.config)) frequencies.push_back(asked.lowest);
  for (const auto& [source, waveform] : config::waveforms_of(plan.config)) {
    const bool has_carrier = waveform.type != config::Waveform::Type::expression;
    if (frequencies.empty() && has_carrier) frequencies.push_back(waveform.frequency);
  }
  return frequencies.empty() ? 0.0 : *std::ranges::min_element(frequencies);
}

/// Fields that vary slowly over the PML are hardly damped by it, and reflected by what damps them abruptly.
void warn_of_pml(const Plan& plan) {
  const double frequency = lowest_frequency(plan);
  if (frequency <= 0 || !has_pml(plan.config)) return;
  const auto& pml = plan.config.pml;
  const double thickness = thickness_of_pml(plan.config);
  const std::vector<double> speed = speeds(plan);
  const std::vector<bool> in_pml = elements_of_terms(plan.problem, plan.discretization->K(), "pml");
  double fastest = 0;
  for (std::size_t k = 0; k < in_pml.size(); ++k) {
    if (in_pml[k]) fastest = std::max(fastest, speed[k]);
  }
  if (pml && pml->alpha && *pml->alpha > frequency) {
    warn(plan.config, "pml.alpha",
         "is above " + frequency_text(frequency, plan.config.units) +
             ", the lowest frequency of interest: the PML damps slower waves less and less below alpha, and reflects "
             "them; leave it out, or take a part of that frequency");
  }
  const double wavelength = fastest / (frequency * plan.scaling.frequency);  // lengths are the same inside
  if (thickness >= 0.5 * wavelength * (1 - 1e-9)) return;
  warn(plan.config, key_of_pml(plan.config) + ".thickness",
       "the PML is thinner than half a wavelength, " + brief(0.5 * wavelength) + length_unit(plan) + ", at " +
           frequency_text(frequency, plan.config.units) +
           ": its reflections may be noticeable; make it thicker, or compare the "
           "results of two thicknesses");
}

}  // namespace

std::vector<double> points_per_wavelength(const Plan& plan, double frequency) {
  const dg::Discretization& d = *plan.discretization;
  std::vector<double> points = speeds(plan);
  for (std::size_t k = 0; k < d.K(); ++k) {
    const double wavelength = points[k] / (frequency * plan.scaling.frequency);
    points[k] = d.N() * wavelength / dg::longest_edge(d.mesh, k);
  }
  return points;
}

Resolution worst_resolution(const Plan& plan, double frequency) {
  const std::vector<double> points = points_per_wavelength(plan, frequency);
  const auto fewest = std::ranges::min_element(points);
  return {*fewest, static_cast<std::size_t>(fewest - points.begin())};
}

void warn_of_mesh(const Plan& plan) {
  warn_of_resolution(plan);
  warn_of_slivers(plan);
  warn_of_pml(plan);
  warn_of_features(plan);
}

}  // namespace maxwell_dg::simulation
