#include "apps/simulation/end_rule.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <set>
#include <string>
#include <vector>

#include "apps/config/materials/loss_tangent.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/source_end.hpp"
#include "apps/simulation/text.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

constexpr double periods = 2;            // of the lowest frequency, in a window
constexpr double looks = 8;              // in a window
constexpr double undamped_windows = 10;  // after which it is told that nothing takes energy

/// How much later than at the origin the last of a plane wave comes to the mesh, at the least speed there is.
double delay_of(const Plan& plan, const config::PlaneWave& wave) {
  const config::Vector3& n = wave.direction;
  const double length = std::hypot(n[0], n[1], n[2]);
  double farthest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    farthest += std::max(n[axis] * plan.whole.box.min[axis], n[axis] * plan.whole.box.max[axis]) / length;
  }
  return std::max(farthest, 0.0) / plan.whole.least_speed;
}

/// The latest end of the sources, in a turn of this length.
double sources_end(const Plan& plan, double length) {
  const config::Config& config = plan.config;
  double latest = 0;
  const auto count = [&](double end, const std::string& key) {
    if (end > length) {
      refuse(config, key,
             "does not end before time.at_most" +
                 std::string(std::isfinite(end) ? " (at " + time_text(end / plan.scaling.time, config.units) + ")"
                                                : ", as far as its expression tells") +
                 ", and time.until.decay waits for the sources' end; let it fall to zero, give a larger time.at_most, "
                 "or time.end in place of time.until");
    }
    latest = std::max(latest, end);
  };
  for (std::size_t i = 0; i < config.sources.size(); ++i) {
    const std::string key = "sources." + std::to_string(i);
    if (const auto* current = std::get_if<config::Current>(&config.sources[i])) {
      count(end_of(plan, key, *current, length), key + ".density");
      continue;
    }
    const config::Waveform* waveform = config::waveform_of(config.sources[i]);
    const auto* wave = std::get_if<config::PlaneWave>(&config.sources[i]);
    count(end_of(plan, make_waveform(config, *waveform), length) + (wave == nullptr ? 0.0 : delay_of(plan, *wave)),
          key + ".waveform");
  }
  return latest;
}

/// Of the sources' band; of pulses that reach down to zero a quarter of their frequency. 0 where no source says.
double lowest_sent(const Plan& plan) {
  double lowest = 0;
  for (const maxwell::Waveform& w : waveforms(plan.config)) {
    if (w.kind == maxwell::Waveform::Kind::expression) continue;
    const double edge = w.kind == maxwell::Waveform::Kind::gaussian_pulse ? w.frequency - w.bandwidth / 2 : 0.0;
    const double its = std::max(edge, w.frequency / 4);
    lowest = lowest == 0 ? its : std::min(lowest, its);
  }
  return lowest;
}

/// Takes a circuit energy at some frequency? Over the frequency the real part of its admittance is an even polynomial
/// of at most twice the degree that there are states over a positive one: without losses it vanishes at one more than
/// so many frequencies, with losses not at all of them.
bool has_losses(const maxwell::OnePort& circuit) {
  constexpr double rounding = 1e-12;
  const double scale = circuit.states() > 0 ? circuit.A.cwiseAbs().maxCoeff() : 1.0;
  for (int i = 0; i <= circuit.states(); ++i) {
    const std::complex<double> Y = circuit.admittance({0, scale * (0.37 + 0.61 * i)});
    if (Y.real() > rounding * std::abs(Y)) return true;
  }
  return false;
}

/// Debye's relaxation does at any strength.
bool has_losses(const config::Pole& pole) {
  return pole.model == config::Pole::Model::debye || pole.collision_frequency > 0 || pole.damping > 0;
}

/// [boundary face] Is it covered by a lumped element? What is there says its circuit.
std::vector<bool> faces_of_elements(const Plan& plan) {
  std::set<dg::ElementFace> covered;
  for (const maxwell::LumpedElement& element : plan.elements) {
    covered.insert(element.mode.faces.begin(), element.mode.faces.end());
  }
  std::vector<bool> result;
  for (const dg::Connectivity::BoundaryFace& face : plan.discretization->connectivity.boundary_faces) {
    result.push_back(covered.contains({static_cast<std::size_t>(face.cell), face.face}));
  }
  return result;
}

/// Is there anything that takes energy: a boundary, a medium, a layer, a port, a sheet, an element? The upwind flux,
/// which takes what the mesh does not resolve, is not counted.
bool takes_energy(const Plan& plan) {
  const dg::Problem& problem = plan.problem;
  const auto is_lossy = [](const dg::System::Traits& t) {
    return t.absorbs || (t.conducts && t.no_tangential.empty());
  };
  bool takes = !plan.config.ports.empty();
  for (const maxwell::LumpedElement& element : plan.elements) takes = takes || has_losses(element.circuit);
  const std::vector<bool> is_of_element = faces_of_elements(plan);
  for (std::size_t b = 0; b < problem.boundary.size() && !takes; ++b) {
    if (problem.boundary[b] >= 0 && !is_of_element[b]) takes = is_lossy(condition_at(problem, b).traits);
  }
  for (std::size_t p = 0; p < problem.parameters.size(); ++p) {
    if (!problem.system.parameters[p].name.starts_with("sigma")) continue;
    takes = takes || std::ranges::any_of(problem.parameters[p], [](double sigma) { return sigma != 0; });
  }
  for (const dg::ElementTerm& term : problem.element_terms) {
    takes = takes || term.name.starts_with("pml");
  }
  for (const config::Material& material : plan.config.materials) {
    takes = takes || std::ranges::any_of(config::poles_of(material), [](const auto& pole) { return has_losses(pole); });
  }
  for (const dg::FaceTerm& term : problem.face_terms) takes = takes || term.name.starts_with("sheet");
  double somewhere = takes ? 1 : 0;
  if (plan.is_part) plan.ranks.max({&somewhere, 1});
  return somewhere != 0;
}

}  // namespace

std::optional<EndRule> end_rule(const Plan& plan) {
  if (!plan.config.time.until) return std::nullopt;
  const double length = plan.end() / static_cast<double>(turns_of(plan.config));
  EndRule rule{.wanted_db = plan.config.time.until->decay, .sources_end = sources_end(plan, length)};
  const double lowest = lowest_sent(plan);
  rule.window = std::max(plan.whole.diagonal / plan.whole.least_speed, lowest > 0 ? periods / lowest : 0.0);
  if (rule.earliest() > length) {
    const bool has_turns = turns_of(plan.config) > 1;
    const double needed = rule.earliest() * static_cast<double>(turns_of(plan.config)) / plan.scaling.time;
    refuse(plan.config, "time.at_most",
           "too short for time.until.decay: the sources end at " +
               time_text(rule.sources_end / plan.scaling.time, plan.config.units) +
               (has_turns ? " of each port's share" : "") + ", and the fields must stay low for another " +
               time_text(rule.window / plan.scaling.time, plan.config.units) +
               ", in which a wave crosses the mesh; give more than " + time_text(needed, plan.config.units));
  }
  rule.every = std::max(1L, static_cast<long>(rule.window / plan.dt / looks));
  if (!takes_energy(plan)) rule.undamped_after = undamped_windows * rule.window;
  return rule;
}

}  // namespace maxwell_dg::simulation
