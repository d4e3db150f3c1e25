#include "apps/simulation/ports.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "apps/config/materials/media.hpp"
#include "apps/config/scaling.hpp"
#include "apps/config/unit_guess.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/gaps.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/quantity.hpp"
#include "dg/maxwell/guide.hpp"
#include "dg/maxwell/lumped_port.hpp"
#include "dg/maxwell/waveform_band.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

constexpr double negligible = 1e-3;  // of a pulse's amplitude

std::string key_of(std::size_t port) {
  return "ports." + std::to_string(port);
}

std::string text_of_inner(double frequency, const config::Config& config) {
  return frequency_text(frequency / config::Scaling::of(config).frequency, config.units);
}

/// The source that drives ports.
const config::DrivenPorts* port_source(const config::Config& config) {
  const auto sources = config::sources_of<config::DrivenPorts>(config);
  return sources.empty() ? nullptr : &sources.front().value;
}

std::vector<std::size_t> driven_ports(const config::Config& config) {
  std::vector<std::size_t> driven;
  const config::DrivenPorts* source = port_source(config);
  for (const std::string& name : source == nullptr ? config::RegionNames{} : source->ports) {
    driven.push_back(
        static_cast<std::size_t>(std::ranges::find(config.ports, name, &config::Port::name) - config.ports.begin()));
  }
  return driven;
}

/// What drives them, in turn; 0 where nothing does.
dg::symbolic::Expr voltage(const config::Config& config) {
  const config::DrivenPorts* source = port_source(config);
  if (source == nullptr) return 0.0;
  return maxwell::value_at(make_waveform(config, source->waveform), dg::symbolic::time());
}

/// How long each of them is driven, inside.
double share(const config::Config& config) {
  return config.end_time() * config::Scaling::of(config).time / static_cast<double>(turns_of(config));
}

/// Of outputs.s_parameters, in the config's units; empty where they are not asked for.
std::vector<double> wanted_frequencies(const config::Config& config) {
  std::vector<double> frequencies;
  const std::optional<config::SParameterOutput>& s = config.outputs.s_parameters;
  for (int i = 0; s && i < s->count; ++i) {
    const double at = static_cast<double>(i) / (s->count - 1);
    frequencies.push_back(core::rounded((1 - at) * s->from + at * s->to));
  }
  return frequencies;
}

class Ports {
 public:
  Ports(const config::Config& config, const dg::Discretization& discretization, const std::vector<int>& of_faces,
        const dg::Problem& problem)
      : config_(config), d_(discretization), of_faces_(of_faces), problem_(problem) {}

  [[nodiscard]] std::vector<maxwell::Port> make() const {
    std::vector<maxwell::Port> ports;
    const std::vector<std::size_t> driven = driven_ports(config_);
    for (std::size_t p = 0; p < config_.ports.size(); ++p) {
      maxwell::Port port{.mode = config_.ports[p].is_lumped() ? lumped_mode(p) : guide_mode(p)};
      require_symmetric(p, port.mode);
      port.impedance = matched_impedance(p, port.mode);
      join_surface(p, port, ports);
      const auto turn = std::ranges::find(driven, p);
      if (turn != driven.end()) {
        port.driven_from = static_cast<double>(turn - driven.begin()) * share(config_);
      }
      port.outgoing = maxwell::outgoing_weights(d_, port.mode);
      ports.push_back(std::move(port));
    }
    return ports;
  }

 private:
  [[nodiscard]] maxwell::PortMode guide_mode(std::size_t p) const {
    std::vector<dg::ElementFace> faces;
    for (std::size_t b = 0; b < of_faces_.size(); ++b) {
      const auto& face = d_.connectivity.boundary_faces[b];
      const int first = of_faces_[b];
      if (d_.complex_view.part(static_cast<std::size_t>(face.cell)) == dg::FieldPart::imaginary) continue;
      if (first < 0 || dg::index(first) >= config_.ports.size()) continue;
      if (config_.ports[dg::index(first)].boundary != config_.ports[p].boundary) continue;
      faces.push_back({static_cast<std::size_t>(face.cell), face.face});
    }
    const maxwell::HomogeneousMedium filling = filling_of(p, faces);
    require_conducting_rim(p, faces);
    const std::string& boundary = config_.ports[p].boundary;
    const auto& guide = std::get<config::GuideEnd>(config_.ports[p].kind);
    const std::string& name = guide.mode;
    const auto& polarization = guide.polarization;
    try {
      if (name != "tem") {
        const auto kind = name[1] == 'e' ? maxwell::ModeKind::te : maxwell::ModeKind::tm;
        return maxwell::guide_mode(d_, std::move(faces), filling, kind, name[2] - '0', name[3] - '0', config_.symmetry,
                                   polarization);
      }
      if (polarization) throw std::domain_error("has a mode of one polarization, tem; leave it out");
      return maxwell::coaxial_mode(d_, std::move(faces), filling, config_.symmetry);
    } catch (const std::domain_error& error) {
      refuse(config_, key_of(p), "'" + boundary + "' " + error.what());
    } catch (const std::invalid_argument& error) {
      refuse(config_, key_of(p) + ".boundary",
             "'" + boundary + "' " + error.what() + "; mode " + name + " needs a plane " +
                 (name == "tem" ? "ring, or a strip of metal within a plane outline" : "rectangle or disc"));
    }
  }

  [[nodiscard]] maxwell::PortMode lumped_mode(std::size_t p) const {
    const config::Port& port = config_.ports[p];
    const auto& lumped = std::get<config::LumpedPort>(port.kind);
    const std::string key = key_of(p) + ".boundary";
    if (config::is_anisotropic(config_)) refuse(config_, key_of(p), "does not go with tensors under `materials`");
    maxwell::Gap gap = find_gap(config_, d_, key_of(p), port.boundary, lumped.from, lumped.to);
    try {
      return maxwell::lumped_mode(d_, problem_, std::move(gap),
                                  lumped.impedance * config::Scaling::of(config_).impedance, config_.symmetry);
    } catch (const std::invalid_argument& error) {
      refuse(config_, key, "'" + port.boundary + "' " + error.what());
    }
  }

  [[nodiscard]] maxwell::HomogeneousMedium filling_of(std::size_t p, const std::vector<dg::ElementFace>& faces) const {
    if (config::is_anisotropic(config_)) refuse(config_, key_of(p), "does not go with tensors under `materials`");
    try {
      return maxwell::filling_of(problem_, faces);
    } catch (const std::invalid_argument& error) {
      refuse(config_, key_of(p), error.what());
    }
  }

  void require_conducting_rim(std::size_t p, const std::vector<dg::ElementFace>& faces) const {
    try {
      maxwell::require_conducting_rim(d_, problem_, faces);
    } catch (const std::invalid_argument& error) {
      refuse(config_, key_of(p) + ".boundary", "'" + config_.ports[p].boundary + "' " + error.what());
    }
  }

  /// A surface has one impedance, that of its first port.
  void join_surface(std::size_t p, maxwell::Port& port, const std::vector<maxwell::Port>& earlier) const {
    for (std::size_t q = earlier.size(); q-- > 0;) {
      if (config_.ports[q].boundary != config_.ports[p].boundary) continue;
      if (port.mode.film || earlier[q].mode.film) {
        refuse(config_, key_of(p) + ".boundary",
               "'" + config_.ports[p].boundary + "' is that of port '" + config_.ports[q].name +
                   "' already, and a lumped port shares its faces with no other");
      }
      port.rank = std::max(port.rank, earlier[q].rank + 1);
      port.impedance = earlier[q].impedance;
      constexpr double small = 0.05;
      if (std::abs(maxwell::overlap(earlier[q].mode, port.mode)) < small) continue;
      refuse(config_, key_of(p),
             "has a field that is not orthogonal to that of port '" + config_.ports[q].name +
                 "', which has the same surface: give it another mode, or in a round guide a polarization at a right "
                 "angle (of te21, 45 degrees)");
    }
  }

  void require_symmetric(std::size_t p, const maxwell::PortMode& mode) const {
    try {
      maxwell::require_symmetric(d_, mode, config_.symmetry);
    } catch (const std::invalid_argument& error) {
      refuse(config_, key_of(p), std::string(error.what()) + "; use the whole mesh, without this plane of `symmetry`");
    }
  }

  /// Inside; of a frequency that is below the cut-off perhaps because its unit was left out.
  [[nodiscard]] std::string guess_of_frequency(double frequency, double cutoff) const {
    const double scale = config::Scaling::of(config_).frequency;
    return config::guess_of_unit(config_, frequency / scale, core::Dimension::frequency,
                                 [&](double f) { return config::strangeness(f * scale, 1.5 * cutoff, 10); });
  }

  /// For which the port absorbs best: in the middle of the wanted band, in the sense that it reflects as much at both
  /// ends; else that of the source's frequency.
  [[nodiscard]] double matched_impedance(std::size_t p, const maxwell::PortMode& mode) const {
    const double cutoff = mode.cutoff_frequency();
    if (cutoff == 0) return mode.impedance(1.0);  // of TEM and of lumped ports
    const auto above_cutoff = [&](double frequency, const std::string& key) {
      if (frequency > cutoff) return frequency;
      refuse(config_, key,
             text_of_inner(frequency, config_) + " is not above " + text_of_inner(cutoff, config_) + ", where mode " +
                 std::get<config::GuideEnd>(config_.ports[p].kind).mode + " of port '" + config_.ports[p].name +
                 "' is cut off; below it, the mode does not propagate" + guess_of_frequency(frequency, cutoff));
    };
    const std::vector<double> wanted = wanted_frequencies(config_);
    if (!wanted.empty()) {
      const double inside = config::Scaling::of(config_).frequency;
      const double from = above_cutoff(wanted.front() * inside, "outputs.s_parameters.from");
      return maxwell::matched_impedance(mode, from, above_cutoff(wanted.back() * inside, "outputs.s_parameters.to"));
    }
    for (const auto& [source, waveform] : config::waveforms_of(config_)) {
      if (waveform.type == config::Waveform::Type::expression) continue;
      return mode.impedance(above_cutoff(make_waveform(config_, waveform).frequency, source + ".waveform.frequency"));
    }
    refuse(
        config_, key_of(p),
        "is matched at one frequency, but the config gives none: ask for outputs.s_parameters, or give a source with a "
        "frequency");
  }

  const config::Config& config_;
  const dg::Discretization& d_;
  const std::vector<int>& of_faces_;  ///< [boundary face] config::Resolved::ports
  const dg::Problem& problem_;
};

}  // namespace

std::size_t turns_of(const config::Config& config) {
  return std::max<std::size_t>(driven_ports(config).size(), 1);
}

std::vector<maxwell::Port> make_ports(const config::Config& config, const dg::Discretization& discretization,
                                      const std::vector<int>& ports, const dg::Problem& problem) {
  return Ports(config, discretization, ports, problem).make();
}

void add_port_terms(const config::Config& config, const dg::Discretization& d, std::vector<maxwell::Port> ports,
                    dg::Problem& problem) {
  if (ports.empty()) return;
  if (d.complex_view.is_complex()) {
    std::vector<maxwell::Port> imaginary = ports;
    for (maxwell::Port& port : imaginary) {
      port.mode = maxwell::on_part(std::move(port.mode), d.complex_view, dg::FieldPart::imaginary);
    }
    ports.insert(ports.end(), imaginary.begin(), imaginary.end());
  }
  for (dg::FaceTerm& term : maxwell::port_terms(problem.system, ports, voltage(config))) {
    problem.face_terms.push_back(std::move(term));
  }
}

void check_s_parameters(const Plan& plan) {
  const config::Config& config = plan.config;
  if (!config.outputs.s_parameters) return;
  const maxwell::Waveform waveform = make_waveform(config, port_source(config)->waveform);
  if (waveform.kind == maxwell::Waveform::Kind::sine) {
    refuse(config, "sources.0.waveform.type", "a sine holds a single frequency; outputs.s_parameters needs a pulse");
  }
  for (const char* end : {"from", "to"}) {
    const config::SParameterOutput& s = *config.outputs.s_parameters;
    const double frequency = end == std::string_view("from") ? s.from : s.to;
    if (maxwell::relative_spectrum(waveform, frequency * plan.scaling.frequency) >= least_spectrum) continue;
    refuse(config, std::string("outputs.s_parameters.") + end, not_in_first_source(plan, frequency));
  }
  for (std::size_t p = 0; p < plan.ports.size() && config.outputs.s_parameters->reference; ++p) {
    if (plan.ports[p].mode.line_impedance) continue;
    refuse(config, "outputs.s_parameters.reference",
           "port '" + config.ports[p].name + "' has mode " + std::get<config::GuideEnd>(config.ports[p].kind).mode +
               ", which has no voltage between conductors and so no impedance to be converted; leave it out");
  }
  const double length = share(config);
  const dg::symbolic::Expr signal = maxwell::value_at(waveform, dg::symbolic::time());
  constexpr int samples = 16;  // of the period that follows: a pulse may just pass through zero
  const double period = waveform.frequency > 0 ? 1 / waveform.frequency : 0;
  double late = 0;
  for (int i = 0; i < samples; ++i) {
    late = std::max(late, std::abs(dg::symbolic::evaluate(signal, {}, length + i * period / samples)));
  }
  if (late > negligible * std::abs(waveform.amplitude)) {
    refuse(config, "time",
           "too short: each driven port has " + time_text(length / plan.scaling.time, config.units) +
               ", and its pulse has not entered by then");
  }
}

dg::PortWaves::Options port_wave_options(const Plan& plan, dg::Sink& sink) {
  const config::Config& config = plan.config;
  dg::PortWaves::Options options{.sink = sink,
                                 .ports = plan.ports,
                                 .descriptions = {},
                                 .frequencies = wanted_frequencies(config),
                                 .names = wanted_frequencies(config),
                                 .sampling = *fourier_sampling(plan),
                                 .voltage = voltage(config),
                                 .impedance_factor = 1 / plan.scaling.impedance};
  for (double& f : options.frequencies) f *= plan.scaling.frequency;
  for (std::size_t p = 0; p < plan.ports.size(); ++p) {
    options.descriptions.push_back(config.ports[p].name + ", " + describe_port(plan, p));
  }
  if (const auto& reference = config.outputs.s_parameters->reference) {
    options.reference = *reference * plan.scaling.impedance;
  }
  for (const config::Port& port : config.ports) {
    const auto* guide = std::get_if<config::GuideEnd>(&port.kind);
    const double plane = guide == nullptr ? 0 : guide->plane;
    if (plane != 0) {
      options.descriptions[options.planes.size()] +=
          ", reference plane " + with_prefix(plane, config::unit_in(config.units, "m")) + " into the guide";
    }
    options.planes.push_back(plane);
  }
  return options;
}

dg::PortLevels::Options port_level_options(const Plan& plan) {
  const config::DrivenPorts* source = port_source(plan.config);
  dg::PortLevels::Options options{.ports = plan.ports,
                                  .levels = {.decay = {.end = plan.end(), .turns = turns_of(plan.config)}}};
  dg::DecayLevels::Options& levels = options.levels;
  const double frequency =
      source == nullptr ? 0.0 : make_waveform(plan.config, source->waveform).frequency;  // 0 of an expression
  if (plan.end_rule) {
    levels.decay.window = plan.end_rule->window;
  } else {
    levels.decay.window = frequency > 0 ? 1 / frequency : 0.05 * plan.end() / static_cast<double>(levels.decay.turns);
  }
  if (frequency > 0) {  // five times in a period, where that is less often than every step
    levels.every = std::clamp(static_cast<long>(0.2 / frequency / plan.dt), 1L, levels.every);
  }
  return options;
}

bool wants_port_levels(const Plan& plan) {
  return plan.config.outputs.s_parameters || (plan.config.time.until && !plan.config.ports.empty());
}

void add_port_waves(const Plan& plan, dg::Operator::Usage& usage) {
  std::size_t faces = 0, others = 0;
  for (const maxwell::Port& port : plan.ports) {
    faces += port.mode.faces.size();
    others += static_cast<std::size_t>(
        std::ranges::count(port.mode.faces, dg::PointLocation::elsewhere, &dg::ElementFace::element));
  }
  const auto Nfp = static_cast<std::size_t>(plan.discretization->Nfp());
  const std::size_t fields = plan.problem.system.fields.size();
  const std::size_t driven = driven_ports(plan.config).size();
  if (const auto& far = plan.config.outputs.far_field) {
    usage.sums.insert(usage.sums.end(), driven, {(faces - others) * Nfp, fields, far->frequencies.size()});
  }
  if (!wants_port_levels(plan)) return;
  const std::size_t parts = plan.discretization->complex_view.parts().size();
  usage.records.push_back({parts * faces * Nfp, fields, dg::PortLevels::batch});
  if (!plan.config.outputs.s_parameters) return;
  const std::size_t frequencies = wanted_frequencies(plan.config).size();
  usage.sums.insert(usage.sums.end(), driven, {(faces - others) * Nfp, fields, frequencies});
}

std::string describe_port(const Plan& plan, std::size_t port) {
  constexpr int digits = 8;  // curved elements of a high order give as many
  const maxwell::PortMode& mode = plan.ports.at(port).mode;
  const auto* guide = std::get_if<config::GuideEnd>(&plan.config.ports[port].kind);
  const std::string what = mode.line_impedance ? (guide == nullptr ? "impedance " : "line impedance ") +
                                                     with_prefix(*mode.line_impedance / plan.scaling.impedance,
                                                                 config::unit_in(plan.config.units, "ohm"), digits)
                                               : "cut-off " + text_of_inner(mode.cutoff_frequency(), plan.config);
  return (guide == nullptr ? config::LumpedPort::type : guide->mode) + ", " + what;
}

}  // namespace maxwell_dg::simulation
