#include "apps/maxwell_dg/terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "apps/config/resolve.hpp"
#include "apps/config/scaling.hpp"
#include "apps/maxwell_dg/physics.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/quantity.hpp"
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
using LayerShape = maxwell::PmlLayer::Shape;

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

std::optional<LayerShape> shape_of(const config::Pml& pml) {
  if (!pml.shape) return std::nullopt;
  switch (*pml.shape) {
    case config::Pml::Shape::box: return LayerShape::box;
    case config::Pml::Shape::sphere: return LayerShape::sphere;
    case config::Pml::Shape::cylinder: return LayerShape::cylinder;
  }
  return std::nullopt;
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
        in_layer_(discretization.K()) {}

  void add() {
    add_dispersion();
    if (config_.pml) {
      add_layer("pml", *config_.pml, config::region_cells(config_, "pml.region", config_.pml->region, d_.mesh));
    }
    add_box_layer();
    add_sheets();
    for (std::size_t i = 0; i < config_.sources.size(); ++i) {
      const std::string key = "sources." + std::to_string(i);
      const config::Source& source = config_.sources[i];
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

  /// Boundaries of type pml: the cells of the box within the thickness of one of those sides.
  void add_box_layer() {
    const auto side = std::ranges::find(config_.boundaries, "pml", &config::Boundary::type);
    if (side == config_.boundaries.end()) return;
    std::array<std::array<bool, 2>, 3> sides{};  // [axis][low, high]
    for (std::size_t b = 0; b < layer_faces_.size(); ++b) {
      if (!layer_faces_[b]) continue;
      const auto& face = d_.connectivity.boundary_faces[b];
      const dg::Geometry::Face& g = d_.geometry.faces[index(face.cell)][index(face.face)];
      const dg::Point n{g.nx, g.ny, g.nz};
      const std::size_t axis = std::abs(n[0]) > 0.5 ? 0 : std::abs(n[1]) > 0.5 ? 1 : 2;
      sides.at(axis).at(n[axis] > 0 ? 1 : 0) = true;
    }
    std::vector<bool> chosen(d_.K());
    const config::MeshBox& box = *config_.mesh.box;
    for (std::size_t k = 0; k < d_.K(); ++k) {
      const dg::Point c = centroid(d_.mesh, d_.mesh.cells[k]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool low = sides.at(axis)[0] && c[axis] < box.min[axis] + side->thickness;
        const bool high = sides.at(axis)[1] && c[axis] > box.max[axis] - side->thickness;
        if (low || high) chosen[k] = true;
      }
    }
    const std::string key = "boundaries." + std::to_string(side - config_.boundaries.begin());
    add_layer(key, {.thickness = side->thickness, .shape = config::Pml::Shape::box}, chosen);
  }

  void add_layer(const std::string& key, const config::Pml& pml, const std::vector<bool>& chosen) {
    Cells layer;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      if (is_dispersive(k)) refuse(key, "holds a dispersive medium, in which the PML would be unstable");
      layer.push_back(static_cast<std::int32_t>(k));
    }
    in_layer_ = chosen;
    try {
      const double thickness = maxwell::stretched_thickness(pml.thickness, pml.kappa);
      const maxwell::PmlLayer geometry(d_, layer, thickness, pml.reflection, shape_of(pml));
      const double alpha = pml.alpha ? 2 * M_PI * *pml.alpha * scaling_.frequency : 0.1 / thickness;
      const std::vector<double> speeds = dg::in_each_element(problem_, problem_.system.max_speed, d_.K());
      const auto profile_at = [&](std::int32_t k, const dg::Point& x) { return geometry.at(x, speeds[index(k)]); };
      for (dg::ElementTerm& term : maxwell::pml_terms(problem_.system, d_, layer, alpha, profile_at)) {
        problem_.element_terms.push_back(std::move(term));
      }
    } catch (const std::invalid_argument& error) {
      refuse(key, error.what());
    }
  }

  /// Boundaries of type sheet, on faces between elements.
  void add_sheets() {
    for (std::size_t i = 0; i < config_.boundaries.size(); ++i) {
      const config::Boundary& sheet = config_.boundaries[i];
      if (sheet.type != "sheet") continue;
      const std::string key = "boundaries." + std::to_string(i) + ".region";
      bool is_there = false;
      for (const auto& [k, face] : config::surface_faces(config_, key, sheet.region, d_.mesh).faces) {
        if (d_.connectivity.neighbours[k][static_cast<std::size_t>(face)] < 0) continue;
        is_there = true;
        if (in_layer_[k]) refuse(key, "lies inside the PML, where a sheet is not possible; end the sheet at the PML");
        const double Y_s = 1 / (sheet.resistance * scaling_.impedance);
        if (!sheet_conductance_.emplace(dg::FaceTerm::Face{static_cast<std::int32_t>(k), face}, Y_s).second) {
          refuse(key, "covers faces that another sheet covers already");
        }
      }
      if (!is_there) refuse(key, "none of its faces lies between two elements, where a sheet has to be");
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

  /// When a wave that passes the origin at t = 0 passes the first corner of the mesh, or for a scattered field the
  /// first of what scatters it, as a time before 0.
  [[nodiscard]] double first_contact(const config::Source& source) const {
    const config::Vector3& direction = source.direction;
    const double length = std::hypot(direction[0], direction[1], direction[2]);
    double lead = 0;
    const auto meet = [&](std::size_t vertex) {
      lead = std::max(lead, -dg::dot(d_.mesh.vertices[vertex], direction) / length);
    };
    if (source.injection.type == config::Injection::Type::total_field) {
      for (std::size_t v = 0; v < d_.mesh.vertices.size(); ++v) meet(v);
      return lead;
    }
    for (std::size_t b = 0; b < problem_.boundary.size(); ++b) {
      if (!scatters(b)) continue;
      const auto& face = d_.connectivity.boundary_faces[b];
      for (const std::size_t v : dg::face_vertices[index(face.face)]) meet(index(d_.mesh.cells[index(face.cell)][v]));
    }
    for (std::size_t k = 0; k < d_.K(); ++k) {
      if (is_vacuum(k)) continue;
      for (const std::int32_t v : d_.mesh.cells[k]) meet(index(v));
    }
    for (const auto& [side, Y_s] : sheet_conductance_) {
      for (const std::size_t v : dg::face_vertices[index(side.face)])
        meet(index(d_.mesh.cells[index(side.element)][v]));
    }
    return lead;
  }

  /// A sine begins when no part of it can be in the mesh; of another waveform it is said if some part is.
  [[nodiscard]] maxwell::Waveform waveform_from_nothing(const std::string& key, const config::Source& source) const {
    maxwell::Waveform waveform = make_waveform(config_, source.waveform);
    const double lead = first_contact(source);
    if (waveform.kind == maxwell::Waveform::Kind::sine) {
      waveform.start = lead;
      return waveform;
    }
    const double before = std::abs(dg::symbolic::evaluate(maxwell::value_at(waveform, dg::symbolic::time()), {}, lead));
    if (before > 1e-3 * std::abs(waveform.amplitude)) {
      log_warning(config_.blame(
          key + ".waveform", "at t = 0 the wave is already in the mesh, " + core::brief(before) +
                                 " V/m of it where it comes in; fields that start at zero do not fit it, and charges "
                                 "stay behind. Give a later `delay`, or move the origin of the mesh"));
    }
    return waveform;
  }

  void add_wave(const std::string& key, const config::Source& source) {
    dg::IncidentField incident;
    try {
      incident = maxwell::fields({.direction = source.direction,
                                  .polarization = source.polarization,
                                  .waveform = waveform_from_nothing(key, source)});
    } catch (const std::invalid_argument& error) {
      refuse(key, error.what());
    }
    if (source.injection.type == config::Injection::Type::total_field) {
      add_total_field(key, source, incident);
    } else {
      add_scattered_field(incident);
    }
  }

  void add_total_field(const std::string& key, const config::Source& source, const dg::IncidentField& incident) {
    const std::string regions = key + ".injection.regions";
    const std::vector<bool> total = config::region_cells(config_, regions, source.injection.regions, d_.mesh);
    const int absorbing = problem_.system.find_boundary("absorbing");
    std::vector<dg::FaceTerm::Face> faces;
    std::vector<double> sign;
    for (std::size_t k = 0; k < d_.K(); ++k) {
      if (total[k] && in_layer_[k]) refuse(regions, "a total-field region must not be part of the pml");
      for (std::int32_t face = 0; face < 4; ++face) {
        const std::int32_t neighbour = d_.connectivity.neighbours[k][index(face)];
        if (neighbour < 0) {
          if (total[k] && problem_.boundary[index(-1 - neighbour)] == absorbing) {
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
    } catch (const std::invalid_argument& error) {
      refuse(key + ".at", error.what());
    }
    dg::ElementTerm& term = problem_.element_terms.back();
    if (d_.mesh.is_twice) keep_real_part(term);
    if (in_layer_[index(term.elements.front())]) refuse(key + ".at", "lies inside the pml");
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
  std::vector<bool> in_layer_;
  std::map<dg::FaceTerm::Face, double> sheet_conductance_;  ///< of both sides of every sheet
  std::optional<std::size_t> sheet_term_;                   ///< among the face terms
  std::size_t dispersion_terms_{};
};

}  // namespace

void stretch_layer(const config::Config& config, dg::Mesh& mesh) {
  if (!config.pml || config.pml->kappa == 1) return;
  const config::Pml& pml = *config.pml;
  const std::vector<bool> chosen = config::region_cells(config, "pml.region", pml.region, mesh);
  Cells layer;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (chosen[k]) layer.push_back(static_cast<std::int32_t>(k));
  }
  try {
    maxwell::stretch_layer(mesh, layer, pml.thickness, pml.kappa, shape_of(pml));
  } catch (const std::invalid_argument& error) {
    throw ConfigError(config.blame("pml", error.what()));
  }
}

void add_terms(const config::Config& config, const dg::Discretization& discretization, const config::Resolved& resolved,
               dg::Problem& problem) {
  if (config.system == config::SystemKind::maxwell) Terms(config, discretization, resolved, problem).add();
}

}  // namespace maxwell_dg
