#include "apps/simulation/terms.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "apps/config/materials/loss_tangent.hpp"
#include "apps/config/named_parts.hpp"
#include "apps/config/outside_text.hpp"
#include "apps/config/resolve.hpp"
#include "apps/config/scaling.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/source_start.hpp"
#include "apps/simulation/checks/symmetry_checks.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/wave_terms.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/maxwell/current.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml_flux.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/symbolic/differentiate.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;
using dg::index;
using Cells = std::vector<std::int32_t>;

class Terms {
 public:
  Terms(const config::Config& config, const dg::Discretization& discretization, const config::Resolved& resolved,
        dg::Problem& problem, const core::Communicator& ranks)
      : ranks_(ranks),
        config_(config),
        scaling_(config::Scaling::of(config)),
        d_(discretization),
        problem_(problem),
        material_(resolved.material),
        layer_faces_(resolved.layer_faces),
        ports_(resolved.ports),
        in_layer_(discretization.K()) {}

  /// Returns the PML, if there is one.
  std::optional<maxwell::PmlLayer> add() {
    require_symmetric(config_, d_, problem_, material_, ranks_);
    const std::vector<maxwell::DispersiveMedium> media = dispersive_media();
    std::vector<dg::ElementTerm> of_pml;
    if (const auto region = pml_region(config_, d_, layer_faces_, ranks_)) of_pml = pml_terms(*region, media);
    add_dispersion(media, of_pml);
    for (dg::ElementTerm& term : of_pml) problem_.element_terms.push_back(std::move(term));
    add_sheets();
    for (std::size_t i = 0; i < config_.sources.size(); ++i) {
      const std::string key = "sources." + std::to_string(i);
      std::visit([&](const auto& source) { add_source(key, source); }, config_.sources[i]);
    }
    return layer_;
  }

 private:
  /// What a rank checks in its part: it may fail there alone, and then all fail.
  template <class Work>
  void in_part(const Work& work) const {
    core::on_all_ranks<ConfigError>(ranks_, work);
  }

  [[nodiscard]] bool is_dispersive(std::size_t k) const {
    return material_[k] >= 0 && config::is_dispersive(config_.materials[index(material_[k])]);
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

  [[nodiscard]] std::vector<maxwell::DispersiveMedium> dispersive_media() const {
    std::vector<maxwell::DispersiveMedium> media(config_.materials.size());
    for (std::size_t m = 0; m < media.size(); ++m) {
      for (const config::Pole& pole : config::poles_of(config_.materials[m])) media[m].poles.push_back(make_pole(pole));
    }
    for (std::size_t k = 0; k < d_.K(); ++k) {
      if (is_dispersive(k)) media[index(material_[k])].elements.push_back(static_cast<std::int32_t>(k));
    }
    return media;
  }

  /// Where the PML has terms, these have the poles of its media.
  void add_dispersion(std::vector<maxwell::DispersiveMedium> media, const std::vector<dg::ElementTerm>& of_pml) {
    std::vector<bool> has_poles(d_.K());
    for (const dg::ElementTerm& term : of_pml) {
      for (const std::int32_t k : term.elements) has_poles[index(k)] = true;
    }
    for (maxwell::DispersiveMedium& medium : media) {
      std::erase_if(medium.elements, [&](std::int32_t k) { return has_poles[index(k)]; });
    }
    for (dg::ElementTerm& term : maxwell::dispersion_terms(problem_.system, media, ranks_)) {
      problem_.element_terms.push_back(std::move(term));
    }
  }

  [[nodiscard]] std::vector<dg::ElementTerm> pml_terms(const PmlRegion& region,
                                                       const std::vector<maxwell::DispersiveMedium>& media) {
    const Cells elements = region.elements();
    in_layer_ = region.cells;
    std::vector<dg::ElementTerm> terms;
    try {
      const maxwell::PmlLayer& layer =
          layer_.emplace(d_, elements, region.thickness, region.reflection, region.shape, ranks_);
      terms = maxwell::pml_terms(problem_, d_, elements, region.alpha, layer, media, ranks_);
      for (dg::FaceTerm& term : maxwell::pml_flux_terms(problem_, d_, elements, ranks_)) {
        problem_.face_terms.push_back(std::move(term));
      }
    } catch (const std::invalid_argument& error) {
      refuse(config_, region.key, error.what());
    }
    check_pml(config_, region, *layer_, d_, ranks_);
    return terms;
  }

  /// Boundaries of type sheet, on faces between elements.
  void add_sheets() {
    for (const config::BoundaryEntry<config::Sheet>& sheet : config::boundaries_of<config::Sheet>(config_)) {
      add_sheet(sheet.key + ".region", sheet.value.resistance,
                config::surface_faces(config_, sheet.key + ".region", sheet.region, d_.mesh).faces);
    }
    if (config::boundaries_of<config::Sheet>(config_).empty()) return;
    std::vector<dg::FaceTerm::Face> faces;
    std::vector<double> values;
    for (const auto& [face, Y_s] : sheet_conductance_) {
      faces.push_back(face);
      values.push_back(Y_s);
    }
    problem_.face_terms.push_back(maxwell::sheet_term(problem_.system, std::move(faces), std::move(values)));
  }

  /// `key` and resistance of the config; `faces` of this rank's part, those of ghosts included.
  void add_sheet(const std::string& key, double resistance, const std::vector<dg::ElementFace>& faces) {
    double outer = 0, sides = 0;
    in_part([&] {
      for (const auto& [k, face] : faces) {
        if (d_.connectivity.neighbours[k][static_cast<std::size_t>(face)] < 0) {
          ++outer;
          continue;
        }
        if (k < d_.own()) ++sides;
        if (in_layer_[k])
          refuse(config_, key, "lies inside the PML, where a sheet is not possible; end the sheet at the PML");
        const double Y_s = 1 / (resistance * scaling_.impedance);
        if (!sheet_conductance_.emplace(dg::FaceTerm::Face{static_cast<std::int32_t>(k), face}, Y_s).second) {
          refuse(config_, key, "covers faces that another sheet covers already");
        }
      }
    });
    outer = core::sum_of(ranks_, outer);
    sides = core::sum_of(ranks_, sides);
    if (sides == 0) refuse(config_, key, "none of its faces lies between two elements, where a sheet has to be");
    if (outer > 0) {
      refuse(config_, key,
             std::to_string(std::lround(outer)) + " of " + std::to_string(std::lround(outer + sides / 2)) +
                 " faces of it lie at the outside of the mesh, where a sheet does nothing: give those faces a "
                 "name of their own in the mesh");
    }
    in_part([&] {
      for (const auto& [side, Y_s] : sheet_conductance_) {
        const std::int32_t other = d_.connectivity.neighbours[index(side.element)][index(side.face)];
        if (sheet_conductance_.contains({other / 4, other % 4})) continue;
        refuse(config_, key, "lies on periodic surfaces; a sheet must lie inside the mesh");
      }
    });
  }

  void add_source(const std::string& key, const config::PlaneWave& source) {
    const maxwell::Scene scene(d_, problem_, in_layer_, layer_ ? &*layer_ : nullptr,
                               background_of(config_, d_, problem_, in_layer_, key, source, ranks_));
    add_wave_terms(config_, scene, ports_, key, source, problem_, ranks_);
  }

  /// A dipole moment inside: p' = p / epsilon_0, m' = Z_0 m, per length c t.
  void add_source(const std::string& key, const config::Dipole& source) {
    warn_of_start(config_, key, source);
    const bool electric = source.kind == config::Dipole::Kind::electric;
    const bool si = config_.units == config::Units::si;
    // Where planes of symmetry lead through the dipole, the mesh has its share of the moment.
    const double unit = 1 / maxwell::parts_of_whole(config_.symmetry) *
                        (!si        ? 1.0
                         : electric ? 1.0 / config::Scaling::epsilon_0
                                    : config::Scaling::Z_0);
    const dg::symbolic::Expr rate =
        dg::symbolic::time_derivative(maxwell::value_at(make_waveform(config_, source.waveform), dg::symbolic::time()));
    const auto component = [&](std::size_t axis) { return unit * source.moment[axis] * rate; };
    try {
      problem_.element_terms.push_back(maxwell::dipole_term(
          problem_.system, d_, source.at, electric ? maxwell::DipoleKind::electric : maxwell::DipoleKind::magnetic,
          {component(0), component(1), component(2)}, ranks_));
    } catch (const std::invalid_argument&) {
      refuse(config_, key + ".at",
             "the dipole " + config::outside_text(config_, key + ".at", source.at, d_.mesh, d_.connectivity,
                                                  dg::PointLocator(d_.mesh, d_.geometry)));
    }
    const dg::ElementTerm& term = problem_.element_terms.back();
    if (core::on_any(ranks_, std::ranges::any_of(term.elements, [&](auto k) { return in_layer_[index(k)]; }))) {
      refuse(config_, key + ".at", "lies inside the PML, or on its inner face");
    }
  }

  void add_source(const std::string& key, const config::DrivenPorts& source) {
    warn_of_start(config_, key, source);  // add_ports does the rest
  }

  void add_source(const std::string& key, const config::Current& source) {
    in_part([&] { warn_of_start(config_, key, source, d_); });
    const std::vector<bool> chosen = config::region_cells(config_, key + ".region", source.region, d_.mesh);
    const dg::ComplexView& view = d_.complex_view;
    Cells real, imaginary;
    bool is_in_layer = false;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (chosen[k] && in_layer_[k]) is_in_layer = true;
      if (chosen[k]) (view.part(k) == dg::FieldPart::real ? real : imaginary).push_back(static_cast<std::int32_t>(k));
    }
    if (core::on_any(ranks_, is_in_layer)) refuse(config_, key + ".region", "the current must not flow in the PML");
    add_current(source.density, std::move(real));
    if (view.is_complex()) add_current(source.imaginary_density, std::move(imaginary));
  }

  void add_current(const std::vector<config::Formula>& density, Cells cells) {
    const auto component = [&](std::size_t axis) {
      return scaling_.sigma * config::expression(config_, density[axis]);  // J' = Z_0 J, as sigma' = Z_0 sigma
    };
    problem_.element_terms.push_back(
        maxwell::current_term(problem_.system, std::move(cells), {component(0), component(1), component(2)}));
  }

  core::Communicator ranks_;  ///< that have parts of the mesh
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
};

}  // namespace

std::optional<maxwell::PmlLayer> add_terms(const config::Config& config, const dg::Discretization& discretization,
                                           const config::Resolved& resolved, dg::Problem& problem,
                                           const core::Communicator& ranks) {
  if (!config.equations().is_maxwell) return std::nullopt;
  return Terms(config, discretization, resolved, problem, ranks).add();
}

}  // namespace maxwell_dg::simulation
