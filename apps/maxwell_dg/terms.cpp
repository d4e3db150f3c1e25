#include "apps/maxwell_dg/terms.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "apps/config/resolve.hpp"
#include "apps/config/scaling.hpp"
#include "apps/maxwell_dg/incident_checks.hpp"
#include "apps/maxwell_dg/physics.hpp"
#include "apps/maxwell_dg/pml_region.hpp"
#include "apps/maxwell_dg/source_start.hpp"
#include "core/error.hpp"
#include "dg/maxwell/current.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/symbolic/differentiate.hpp"
#include "dg/symbolic/incident.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg {
namespace {

namespace maxwell = dg::maxwell;
using Cells = std::vector<std::int32_t>;

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

class Terms {
 public:
  Terms(const config::Config& config, const dg::Discretization& discretization, const config::Resolved& resolved,
        dg::Problem& problem)
      : config_(config),
        scaling_(config::Scaling::of(config)),
        d_(discretization),
        problem_(problem),
        material_(resolved.material),
        layer_faces_(resolved.layer_faces),
        ports_(resolved.ports),
        in_layer_(discretization.K()) {}

  void add() {
    add_dispersion();
    if (const auto region = pml_region(config_, d_, layer_faces_)) add_pml(*region);
    add_sheets();
    for (std::size_t i = 0; i < config_.sources.size(); ++i) {
      const std::string key = "sources." + std::to_string(i);
      const config::Source& source = config_.sources[i];
      if (source.type != config::Source::Type::plane_wave) warn_of_start(config_, key, source, d_);
      switch (source.type) {
        case config::Source::Type::plane_wave: add_wave(key, source); break;
        case config::Source::Type::dipole: add_dipole(key, source); break;
        case config::Source::Type::current: add_current(key, source); break;
        case config::Source::Type::port: break;  // see add_ports
      }
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& message) const {
    throw ConfigError(config_.blame(key, message));
  }

  [[nodiscard]] bool is_dispersive(std::size_t k) const {
    return material_[k] >= 0 && !config_.materials[index(material_[k])].dispersion.empty();
  }

  /// Where the incident wave solves the equations.
  [[nodiscard]] bool is_vacuum(std::size_t k) const {
    if (is_dispersive(k)) return false;
    for (std::size_t p = 0; p < problem_.parameters.size(); ++p) {
      if (problem_.parameters[p][k] != problem_.system.parameters[p].default_value) return false;
    }
    return true;
  }

  [[nodiscard]] maxwell::Pole make_pole(const config::Pole& pole) const {
    const double rate = 2 * M_PI * scaling_.frequency;  // of a frequency in the config's units
    switch (pole.model) {
      case config::Pole::Model::debye:
        return {maxwell::Pole::Model::debye, pole.delta_epsilon, 1 / (pole.tau * scaling_.time)};
      case config::Pole::Model::drude:
        return {maxwell::Pole::Model::drude, rate * pole.plasma_frequency, rate * pole.collision_frequency};
      case config::Pole::Model::lorentz:
        return {maxwell::Pole::Model::lorentz, pole.delta_epsilon, rate * pole.damping, rate * pole.frequency};
    }
    throw std::logic_error("make_pole: unknown model");
  }

  void add_dispersion() {
    std::vector<maxwell::DispersiveMedium> media(config_.materials.size());
    for (std::size_t m = 0; m < media.size(); ++m) {
      for (const config::Pole& pole : config_.materials[m].dispersion) media[m].poles.push_back(make_pole(pole));
    }
    for (std::size_t k = 0; k < d_.K(); ++k) {
      if (is_dispersive(k)) media[index(material_[k])].elements.push_back(static_cast<std::int32_t>(k));
    }
    problem_.element_terms = maxwell::dispersion_terms(problem_.system, media);
    dispersion_terms_ = problem_.element_terms.size();
  }

  void add_pml(const PmlRegion& region) {
    const Cells elements = region.elements();
    for (const std::int32_t k : elements) {
      if (is_dispersive(index(k))) {
        refuse(region.key, "holds a dispersive medium, in which the PML would be unstable");
      }
    }
    in_layer_ = region.cells;
    try {
      const maxwell::PmlLayer& layer = layer_.emplace(d_, elements, region.thickness, region.reflection, region.shape);
      const std::vector<double> speeds = dg::in_each_element(problem_, problem_.system.max_speed, d_.K());
      const auto profile_at = [&](std::int32_t k, const dg::Point& x) { return layer.at(x, speeds[index(k)]); };
      for (dg::ElementTerm& term : maxwell::pml_terms(problem_.system, d_, elements, region.alpha, profile_at)) {
        problem_.element_terms.push_back(std::move(term));
      }
    } catch (const std::invalid_argument& error) {
      refuse(region.key, error.what());
    }
    check_pml(config_, region, *layer_, d_);
  }

  /// Boundaries of type sheet, on faces between elements.
  void add_sheets() {
    for (std::size_t i = 0; i < config_.boundaries.size(); ++i) {
      const config::Boundary& sheet = config_.boundaries[i];
      if (sheet.type != "sheet") continue;
      const std::string key = "boundaries." + std::to_string(i) + ".region";
      std::size_t outer = 0, sides = 0;
      for (const auto& [k, face] : config::surface_faces(config_, key, sheet.region, d_.mesh).faces) {
        if (d_.connectivity.neighbours[k][static_cast<std::size_t>(face)] < 0) {
          ++outer;
          continue;
        }
        ++sides;
        if (in_layer_[k]) refuse(key, "lies inside the PML, where a sheet is not possible; end the sheet at the PML");
        const double Y_s = 1 / (sheet.resistance * scaling_.impedance);
        if (!sheet_conductance_.emplace(dg::FaceTerm::Face{static_cast<std::int32_t>(k), face}, Y_s).second) {
          refuse(key, "covers faces that another sheet covers already");
        }
      }
      if (sides == 0) refuse(key, "none of its faces lies between two elements, where a sheet has to be");
      if (outer > 0) {
        refuse(key, std::to_string(outer) + " of " + std::to_string(outer + sides / 2) +
                        " faces of it lie at the outside of the mesh, where a sheet does nothing: give those faces a "
                        "name of their own in the mesh");
      }
      for (const auto& [side, Y_s] : sheet_conductance_) {
        const std::int32_t other = d_.connectivity.neighbours[index(side.element)][index(side.face)];
        if (sheet_conductance_.contains({other / 4, other % 4})) continue;
        refuse(key, "lies on periodic surfaces; a sheet must lie inside the mesh");
      }
    }
    if (sheet_conductance_.empty()) return;
    std::vector<dg::FaceTerm::Face> faces;
    std::vector<double> values;
    for (const auto& [face, Y_s] : sheet_conductance_) {
      faces.push_back(face);
      values.push_back(Y_s);
    }
    sheet_term_ = problem_.face_terms.size();
    problem_.face_terms.push_back(maxwell::sheet_term(problem_.system, std::move(faces), std::move(values)));
  }

  /// Does a scattered field know of the incident wave there? What absorbs does not, nor what stands behind the layer.
  [[nodiscard]] bool scatters(std::size_t boundary_face) const {
    const int absorbing = problem_.system.find_boundary("absorbing");
    return problem_.boundary[boundary_face] != absorbing &&
           !in_layer_[index(d_.connectivity.boundary_faces[boundary_face].cell)];
  }

  /// When a wave that passes the origin at t = 0 passes the corners of the mesh, or for a scattered field those of what
  /// scatters it. `first` is at least 0.
  [[nodiscard]] TimesInMesh times_in_mesh(const config::Source& source) const {
    const config::Vector3& direction = source.direction;
    const double length = std::hypot(direction[0], direction[1], direction[2]);
    double first = -INFINITY, last = INFINITY;
    const auto meet = [&](std::size_t vertex) {
      const double before = -dg::dot(d_.mesh.vertices[vertex], direction) / length;
      first = std::max(first, before);
      last = std::min(last, before);
    };
    const bool everywhere = source.injection.type == config::Injection::Type::total_field;
    for (std::size_t v = 0; everywhere && v < d_.mesh.vertices.size(); ++v) meet(v);
    for (std::size_t b = 0; !everywhere && b < problem_.boundary.size(); ++b) {
      if (!scatters(b)) continue;
      const auto& face = d_.connectivity.boundary_faces[b];
      for (const std::size_t v : dg::face_vertices[index(face.face)]) meet(index(d_.mesh.cells[index(face.cell)][v]));
    }
    for (std::size_t k = 0; !everywhere && k < d_.K(); ++k) {
      if (is_vacuum(k)) continue;
      for (const std::int32_t v : d_.mesh.cells[k]) meet(index(v));
    }
    for (const auto& [side, Y_s] : sheet_conductance_) {
      for (const std::size_t v : dg::face_vertices[index(side.face)])
        meet(index(d_.mesh.cells[index(side.element)][v]));
    }
    if (first < last) return {};  // nothing scatters
    return {.first = std::max(first, 0.0), .last = std::min(last, std::max(first, 0.0))};
  }

  /// A sine begins when no part of it can be in the mesh; of another waveform it is said if some part is.
  [[nodiscard]] maxwell::Waveform waveform_from_nothing(const std::string& key, const config::Source& source) const {
    maxwell::Waveform waveform = make_waveform(config_, source.waveform);
    const TimesInMesh times = times_in_mesh(source);
    if (waveform.kind == maxwell::Waveform::Kind::sine) {
      waveform.start = times.first;
    } else {
      warn_of_wave_at_start(config_, key, waveform, times);
    }
    return waveform;
  }

  [[nodiscard]] Scene scene() const {
    return {.config = config_,
            .d = d_,
            .problem = problem_,
            .ports = ports_,
            .in_pml = in_layer_,
            .pml = layer_ ? &*layer_ : nullptr,
            .sheets = sheet_conductance_,
            .is_vacuum = [this](std::size_t k) { return is_vacuum(k); }};
  }

  void add_wave(const std::string& key, const config::Source& source) {
    const bool is_scattered = source.injection.type == config::Injection::Type::scattered_field;
    require_wave_of_lattice(scene(), key, source);
    if (is_scattered) require_outgoing(scene(), key);
    dg::IncidentField incident;
    try {
      incident = maxwell::fields({.direction = source.direction,
                                  .polarization = source.polarization,
                                  .waveform = waveform_from_nothing(key, source)});
    } catch (const std::invalid_argument& error) {
      refuse(key, error.what());
    }
    if (is_scattered) {
      add_scattered_field(incident);
    } else {
      add_total_field(key, source, incident);
    }
  }

  void add_total_field(const std::string& key, const config::Source& source, const dg::IncidentField& incident) {
    const std::string regions = key + ".injection.regions";
    const std::vector<bool> total = config::region_cells(config_, regions, source.injection.regions, d_.mesh);
    const int absorbing = problem_.system.find_boundary("absorbing");
    std::vector<dg::FaceTerm::Face> faces;
    std::vector<double> sign;
    for (std::size_t k = 0; k < d_.K(); ++k) {
      if (total[k] && in_layer_[k]) refuse(regions, "a total-field region must not be part of the PML");
      for (std::int32_t face = 0; face < 4; ++face) {
        const std::int32_t neighbour = d_.connectivity.neighbours[k][index(face)];
        if (neighbour < 0) {
          const auto b = index(-1 - neighbour);
          if (total[k] && problem_.boundary[b] == absorbing && ports_[b] < 0) {
            refuse(regions,
                   "the total-field regions touch an absorbing boundary, which would absorb the incident wave; "
                   "leave a region of scattered field between them");
          }
          continue;
        }
        if (total[k] == total[index(neighbour / 4)]) continue;
        if (!is_vacuum(k)) {
          refuse(regions,
                 "the surface of the total-field regions must lie in vacuum, where the incident wave is known");
        }
        if (sheet_conductance_.contains({static_cast<std::int32_t>(k), face})) {
          refuse(regions, "the surface of the total-field regions must not be a sheet; leave elements between them");
        }
        faces.push_back({static_cast<std::int32_t>(k), face});
        sign.push_back(total[k] ? 1.0 : -1.0);
      }
    }
    if (faces.empty()) {
      refuse(regions, "the total-field regions have no surface inside the mesh through which the wave could enter");
    }
    warn_of_unlit(scene(), key, source, total);
    problem_.face_terms.push_back(dg::total_field_term(problem_.system, incident, std::move(faces), std::move(sign)));
  }

  void add_scattered_field(const dg::IncidentField& incident) {
    std::vector<std::vector<dg::FaceTerm::Face>> faces(problem_.system.boundaries.size());
    for (std::size_t b = 0; b < d_.connectivity.boundary_faces.size(); ++b) {
      if (!scatters(b)) continue;
      const auto& face = d_.connectivity.boundary_faces[b];
      faces[index(problem_.boundary[b])].push_back({face.cell, face.face});
    }
    for (std::size_t condition = 0; condition < faces.size(); ++condition) {
      if (faces[condition].empty()) continue;
      std::ranges::sort(faces[condition]);
      problem_.face_terms.push_back(dg::scattering_boundary_term(problem_.system, static_cast<int>(condition), incident,
                                                                 std::move(faces[condition])));
    }
    // Polarization and the current of a sheet follow the whole field.
    if (sheet_term_) {
      for (dg::symbolic::Expr& e : problem_.face_terms[*sheet_term_].flux) e = with_incident(e, incident);
    }
    for (std::size_t i = 0; i < dispersion_terms_; ++i) {
      dg::ElementTerm& term = problem_.element_terms[i];
      for (auto* equations : {&term.added, &term.rates}) {
        for (dg::symbolic::Expr& e : *equations) e = with_incident(e, incident);
      }
    }
    Cells media;
    for (std::size_t k = 0; k < d_.K(); ++k) {
      if (!is_vacuum(k) && !in_layer_[k]) media.push_back(static_cast<std::int32_t>(k));
    }
    if (!media.empty()) {
      problem_.element_terms.push_back(dg::scattering_medium_term(problem_.system, incident, std::move(media)));
    }
  }

  [[nodiscard]] static dg::symbolic::Expr with_incident(const dg::symbolic::Expr& e,
                                                        const dg::IncidentField& incident) {
    using dg::symbolic::Symbol;
    return dg::symbolic::substitute(e, [&](const Symbol& s) {
      const dg::symbolic::Expr symbol(s);
      const bool is_field = s.kind == Symbol::Kind::field && index(s.index) < incident.size();
      return is_field ? symbol + incident[index(s.index)] : symbol;
    });
  }

  /// A dipole moment inside: p' = p / epsilon_0, m' = Z_0 m, per length c t.
  void add_dipole(const std::string& key, const config::Source& source) {
    const bool electric = source.kind == config::Source::Dipole::electric;
    const bool si = config_.units == config::Units::si;
    const double unit = !si ? 1.0 : electric ? 1.0 / config::Scaling::epsilon_0 : config::Scaling::Z_0;
    const dg::symbolic::Expr rate =
        dg::symbolic::time_derivative(maxwell::value_at(make_waveform(config_, source.waveform), dg::symbolic::time()));
    const auto component = [&](std::size_t axis) { return unit * source.moment[axis] * rate; };
    try {
      problem_.element_terms.push_back(maxwell::dipole_term(
          problem_.system, d_, source.at, electric ? maxwell::DipoleKind::electric : maxwell::DipoleKind::magnetic,
          {component(0), component(1), component(2)}));
    } catch (const std::invalid_argument&) {
      refuse(key + ".at",
             "the dipole " + config::outside_text(config_, key + ".at", source.at, d_.mesh, d_.connectivity,
                                                  dg::PointLocator(d_.mesh, d_.geometry)));
    }
    dg::ElementTerm& term = problem_.element_terms.back();
    if (d_.mesh.is_twice) keep_real_part(term);
    if (std::ranges::any_of(term.elements, [&](std::int32_t k) { return in_layer_[index(k)]; })) {
      refuse(key + ".at", "lies inside the PML, or on its inner face");
    }
  }

  /// Of a dipole that elements of both halves of the mesh share: those of the first half have it all.
  void keep_real_part(dg::ElementTerm& dipole) const {
    dipole.elements.resize(dipole.elements.size() / 2);
    for (std::vector<double>& profile : dipole.profiles) {
      profile.resize(profile.size() / 2);
      for (double& value : profile) value *= 2;
    }
  }

  void add_current(const std::string& key, const config::Source& source) {
    const std::vector<bool> chosen = config::region_cells(config_, key + ".region", source.region, d_.mesh);
    Cells real, imaginary;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (chosen[k] && in_layer_[k]) refuse(key + ".region", "the current must not flow in the PML");
      const bool is_copy = d_.mesh.is_twice && k >= chosen.size() / 2;
      if (chosen[k]) (is_copy ? imaginary : real).push_back(static_cast<std::int32_t>(k));
    }
    add_current(source.density, std::move(real));
    if (d_.mesh.is_twice) add_current(source.imaginary_density, std::move(imaginary));
  }

  void add_current(const std::vector<config::Formula>& density, Cells cells) {
    const auto component = [&](std::size_t axis) {
      return scaling_.sigma * config::expression(config_, density[axis]);  // J' = Z_0 J, as sigma' = Z_0 sigma
    };
    problem_.element_terms.push_back(
        maxwell::current_term(problem_.system, std::move(cells), {component(0), component(1), component(2)}));
  }

  const config::Config& config_;
  config::Scaling scaling_;
  const dg::Discretization& d_;
  dg::Problem& problem_;
  const std::vector<int>& material_;
  const std::vector<bool>& layer_faces_;
  const std::vector<int>& ports_;
  std::vector<bool> in_layer_;
  std::optional<maxwell::PmlLayer> layer_;
  std::map<dg::FaceTerm::Face, double> sheet_conductance_;  ///< of both sides of every sheet
  std::optional<std::size_t> sheet_term_;                   ///< among the face terms
  std::size_t dispersion_terms_{};
};

}  // namespace

void add_terms(const config::Config& config, const dg::Discretization& discretization, const config::Resolved& resolved,
               dg::Problem& problem) {
  if (config.system == config::SystemKind::maxwell) Terms(config, discretization, resolved, problem).add();
}

}  // namespace maxwell_dg
