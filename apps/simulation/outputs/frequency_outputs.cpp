#include "apps/simulation/outputs/frequency_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "apps/config/named_parts.hpp"
#include "apps/config/resolve.hpp"
#include "apps/config/transforms.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/mesh_warnings.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/maxwell/waveform_band.hpp"
#include "dg/observe/files/field_groups.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

constexpr double negligible_content = 1e-6;  // of a pulse's spectrum: less is left to alias

/// A list of frequencies and the key it stands under.
struct Wanted {
  std::string key;
  const std::vector<double>* frequencies;
};
std::vector<Wanted> wanted(const config::Config& config) {
  std::vector<Wanted> lists;
  if (config.outputs.frequency_fields) {
    lists.push_back({"outputs.frequency_fields.frequencies", &config.outputs.frequency_fields->frequencies});
  }
  if (config.outputs.far_field) {
    lists.push_back({"outputs.far_field.frequencies", &config.outputs.far_field->frequencies});
  }
  return lists;
}

std::vector<double> inside(const Plan& plan, std::vector<double> frequencies) {
  for (double& f : frequencies) f *= plan.scaling.frequency;
  return frequencies;
}

/// Above this frequency the fields hold next to nothing; infinite where that is not known.
double end_of_band(const Plan& plan) {
  const auto fields = config::expressions(plan.config, plan.config.initial_fields, plan.problem.system);
  const bool starts_from_zero =
      std::all_of(fields.begin(), fields.end(), [](const auto& f) { return f.is_constant(0); });
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  const bool all_known = sources.size() == plan.config.sources.size();  // a current has an expression
  if (!starts_from_zero || sources.empty() || !all_known) return std::numeric_limits<double>::infinity();
  double edge = 0;
  for (const maxwell::Waveform& w : sources) edge = std::max(edge, maxwell::band_edge(w, negligible_content));
  return edge;
}

std::vector<double> angles(const config::AngleRange& range) {
  std::vector<double> result;
  const long whole = std::lround(std::floor((range.to - range.from) / range.step * (1 + 1e-12)));
  for (long i = 0; i <= whole; ++i) result.push_back(range.from + static_cast<double>(i) * range.step);
  if (range.to - result.back() > 1e-9 * range.step) result.push_back(range.to);
  return result;
}

constexpr const char* enclosing_key = "outputs.far_field.enclosing";

[[noreturn]] void refuse_surface(const Plan& plan, const std::string& message) {
  refuse(plan.config, enclosing_key, message);
}

std::string in_region_of(const Plan& plan, std::size_t k) {
  const dg::Mesh& mesh = plan.discretization->mesh;
  const std::int32_t region = mesh.cell_region[k];
  return region < 0 ? "" : " in '" + mesh.regions[static_cast<std::size_t>(region)] + "'";
}

/// The medium outside of the surface, by an element at its first face; of parts, that of the first rank with a face.
/// Collective.
maxwell::HomogeneousMedium medium_outside(const Plan& plan, const std::vector<dg::ElementFace>& faces) {
  std::vector<maxwell::HomogeneousMedium> media;
  core::on_all_ranks<ConfigError>(plan.ranks_with_parts(), [&] {
    if (faces.empty()) return;
    const std::size_t k = faces.front().element;
    if (const auto medium = maxwell::homogeneous_medium(plan.problem, k)) return media.push_back(*medium);
    refuse_surface(plan,
                   "outside of these regions all must be one medium without losses, poles and tensors, but there is "
                   "another one" +
                       in_region_of(plan, k));
  });
  return core::all_of(plan.ranks_with_parts(), media).front();
}

void require_one_medium_outside(const Plan& plan, const std::vector<bool>& enclosed,
                                const maxwell::HomogeneousMedium& medium) {
  for (std::size_t k = 0; k < enclosed.size(); ++k) {
    if (enclosed[k] || maxwell::homogeneous_medium(plan.problem, k) == medium) continue;
    refuse_surface(plan,
                   "outside of these regions all must be one medium without losses, poles and tensors; beside the "
                   "surface it is " +
                       name_of(medium) + ", but there is another one" + in_region_of(plan, k));
  }
}

[[noreturn]] void refuse_term(const Plan& plan, const std::string& term, std::size_t k) {
  refuse_surface(plan,
                 "outside of these regions there must be no sources, but there is a " + term + in_region_of(plan, k));
}

/// Media with memory, sources: all but the PML, which the surface must not touch.
void require_no_terms_outside(const Plan& plan, const std::vector<bool>& enclosed,
                              const std::vector<dg::ElementFace>& faces) {
  const std::vector<bool> in_pml = elements_of_terms(plan.problem, enclosed.size(), "pml");
  for (std::size_t k = 0; k < enclosed.size(); ++k) {
    if (in_pml[k] && enclosed[k]) refuse_surface(plan, "the PML must be outside of these regions");
  }
  for (const dg::ElementFace& face : faces) {
    if (in_pml[face.element]) refuse_surface(plan, "the surface touches the PML; leave elements between them");
  }
  for (const dg::ElementTerm& term : plan.problem.element_terms) {
    for (const std::int32_t element : term.elements) {
      const auto k = static_cast<std::size_t>(element);
      if (!in_pml[k] && !enclosed[k]) refuse_term(plan, term.name, k);
    }
  }
}

/// The same of what faces have: sheets, ports. A total field's surface is looked at by its regions, a wall that
/// scatters as a boundary. A sheet may be the surface itself, from outside of which the fields are taken.
void require_no_face_terms_outside(const Plan& plan, const std::vector<bool>& enclosed) {
  const auto& neighbours = plan.discretization->connectivity.neighbours;
  for (const dg::FaceTerm& term : plan.problem.face_terms) {
    if (term.name == "total_field" || term.name == "pml" || term.name.starts_with("scattering_")) continue;
    for (const dg::FaceTerm::Face& face : term.faces) {
      const auto k = static_cast<std::size_t>(face.element);
      const std::int32_t beyond = neighbours[k].at(static_cast<std::size_t>(face.face));
      if (enclosed[k] || (beyond >= 0 && enclosed[static_cast<std::size_t>(beyond / 4)])) continue;
      refuse_term(plan, term.name, k);
    }
  }
}

/// Walls that reflect: all but what absorbs, what stands behind the layer, and what lies in the surface itself.
void require_no_walls_outside(const Plan& plan, const std::vector<bool>& enclosed, const dg::RegionSet& regions) {
  const std::vector<bool> in_pml = elements_of_terms(plan.problem, enclosed.size(), "pml");
  for (std::size_t b = 0; b < plan.problem.boundary.size(); ++b) {
    const dg::Connectivity::BoundaryFace& face = plan.discretization->connectivity.boundary_faces[b];
    const auto k = static_cast<std::size_t>(face.cell);
    const dg::System::Boundary& condition = condition_at(plan.problem, b);
    if (enclosed[k] || regions.contains(face.behind) || in_pml[k] || condition.traits.absorbs ||
        condition.traits.is_symmetry)
      continue;
    refuse_surface(plan, "outside of these regions all must be open space, but there is a boundary of type " +
                             condition.name + in_region_of(plan, k));
  }
}

void require_total_fields_inside(const Plan& plan, const std::vector<bool>& enclosed) {
  for (const auto& [key, wave] : config::sources_of<config::PlaneWave>(plan.config)) {
    if (wave.injection.type != config::Injection::Type::total_field) continue;
    const std::vector<bool> total = config::region_cells(plan.config, key + ".injection.regions",
                                                         wave.injection.regions, plan.discretization->mesh);
    for (std::size_t k = 0; k < total.size(); ++k) {
      if (!total[k] || enclosed[k]) continue;
      refuse_surface(plan, "must contain the total-field regions, but there is one outside" + in_region_of(plan, k));
    }
  }
}

void warn_of_coarse_mesh(const Plan& plan, const Wanted& list) {
  constexpr double fewest = 4;
  const double highest = *std::max_element(list.frequencies->begin(), list.frequencies->end());
  const double points = worst_resolution(plan, highest).points_per_wavelength;
  if (points >= fewest) return;
  warn(plan.config, list.key,
       "at " + frequency_text(highest, plan.config.units) + " the mesh has " + brief(points) +
           " nodes per wavelength where it is coarsest; waves are damped with fewer than " + brief(fewest) +
           ": take a finer mesh or a higher order");
}

/// A single frequency and the key it stands under.
struct Tone {
  std::string key;
  double frequency;
};

/// The highest that each output asks for, and those of sine waves.
std::vector<Tone> tones(const config::Config& config) {
  std::vector<Tone> result;
  for (const config::Transform& asked : config::transforms(config))
    result.push_back({asked.highest_key, asked.highest});
  for (const auto& [source, waveform] : config::waveforms_of(config)) {
    if (waveform.type != config::Waveform::Type::sine) continue;
    result.push_back({source + ".waveform.frequency", waveform.frequency});
  }
  return result;
}

}  // namespace

std::optional<dg::symbolic::Expr> reference_signal(const Plan& plan) {
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (sources.empty()) return std::nullopt;
  return maxwell::value_at(sources.front(), dg::symbolic::time());
}

void check_frequencies(const Plan& plan) {
  const std::vector<Wanted> lists = wanted(plan.config);
  for (const Wanted& list : lists) warn_of_coarse_mesh(plan, list);
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (lists.empty() || sources.empty()) return;
  const maxwell::Waveform& first = sources.front();
  std::string findings;
  for (const Wanted& list : lists) {
    for (std::size_t i = 0; i < list.frequencies->size(); ++i) {
      const double frequency = list.frequencies->at(i);
      const double level = maxwell::relative_spectrum(first, frequency * plan.scaling.frequency);
      if (level >= least_spectrum) continue;
      findings += (findings.empty() ? "" : "\n") +
                  plan.config.blame(list.key + "." + std::to_string(i), not_in_first_source(plan, frequency));
    }
  }
  if (!findings.empty()) throw ConfigError(findings);
  if (first.kind == maxwell::Waveform::Kind::sine && plan.dt * static_cast<double>(plan.steps) * first.frequency < 2) {
    refuse(plan.config, lists.front().key, "a sine needs a run of at least two periods, during which it ramps up");
  }
}

void require_carried(const Plan& plan) {
  constexpr double fewest = 2, highest_order = 9;
  const std::vector<Tone> asked = tones(plan.config);
  if (asked.empty()) return;
  std::vector<double> points = points_per_wavelength(plan, 1.0);  // at another frequency, as many times fewer
  points.resize(plan.discretization->own());
  const double middle = core::nth_of(plan.ranks_with_parts(), std::move(points), plan.whole.elements / 2);
  const double carried = middle / fewest;
  std::string findings;
  for (const auto& [key, frequency] : asked) {
    if (frequency <= carried) continue;
    const double order = std::ceil(plan.config.solver.order * frequency / carried);
    findings += (findings.empty() ? "" : "\n") +
                plan.config.blame(key, "the mesh does not resolve " + frequency_text(frequency, plan.config.units) +
                                           ": half of its elements have at most " + brief(middle / frequency) +
                                           " points per wavelength (order times wavelength over longest edge); " +
                                           brief(fewest) + " are needed, which they have up to " +
                                           frequency_text(carried, plan.config.units) + "; make edges " +
                                           brief(frequency / carried) + " times shorter" +
                                           (order > highest_order ? "" : ", or take solver.order " + brief(order)));
  }
  if (!findings.empty()) throw ConfigError(findings);
}

std::optional<dg::FourierSampling> fourier_sampling(const Plan& plan) {
  double highest = 0;
  for (const config::Transform& asked : config::transforms(plan.config)) {
    if (asked.sums_up) highest = std::max(highest, asked.highest * plan.scaling.frequency);
  }
  if (highest == 0) return std::nullopt;
  const std::vector<maxwell::Waveform> sources = waveforms(plan.config);
  if (!sources.empty() && sources.front().kind == maxwell::Waveform::Kind::sine) {
    return dg::sample_tone(plan.dt, plan.steps, sources.front().frequency);
  }
  return dg::sample_pulse(plan.dt, plan.steps, end_of_band(plan), highest);
}

dg::FrequencyFields::Options frequency_field_options(const Plan& plan, dg::Sink& sink) {
  const config::FrequencyFieldOutput& output = *plan.config.outputs.frequency_fields;
  return {.sink = sink,
          .quantities = output.quantities,
          .frequencies = inside(plan, output.frequencies),
          .frequency_factor = 1 / plan.scaling.frequency,
          .sampling = *fourier_sampling(plan),
          .reference = reference_signal(plan),
          .scaling = plan.file_scaling};
}

std::vector<dg::ElementFace> far_field_faces(const Plan& plan) {
  if (!plan.config.outputs.far_field) return {};
  const auto& sources = plan.config.sources;
  if (sources.empty() || config::waveform_of(sources.front()) == nullptr) {
    refuse(plan.config, "outputs.far_field",
           "needs a plane wave, a dipole or a port as the first source, over whose amplitude it is given");
  }
  if (!config::boundaries_of<config::Periodic>(plan.config).empty()) {
    refuse(plan.config, "outputs.far_field", "needs open space on all sides, but some boundaries are periodic");
  }
  const std::vector<bool> enclosed = config::region_cells(
      plan.config, enclosing_key, plan.config.outputs.far_field->enclosing, plan.discretization->mesh);
  const dg::RegionSet regions = config::region_set(plan.config.outputs.far_field->enclosing, plan.discretization->mesh);
  std::vector<dg::ElementFace> faces = dg::enclosing_surface(plan.discretization->connectivity, enclosed, regions);
  std::erase_if(faces, [&](const dg::ElementFace& face) { return face.element >= plan.discretization->own(); });
  const core::Communicator ranks = plan.ranks_with_parts();
  if (!core::on_any(ranks, !faces.empty())) {
    refuse_surface(plan, "no face of the mesh lies between these regions and others; leave a region outside");
  }
  const maxwell::HomogeneousMedium medium = medium_outside(plan, faces);
  core::on_all_ranks<ConfigError>(ranks, [&] {
    require_one_medium_outside(plan, enclosed, medium);
    require_no_terms_outside(plan, enclosed, faces);
    require_no_face_terms_outside(plan, enclosed);
    require_total_fields_inside(plan, enclosed);
    require_no_walls_outside(plan, enclosed, regions);
  });
  return faces;
}

dg::FarFieldTable::Options far_field_options(const Plan& plan, dg::Sink& sink) {
  const config::FarFieldOutput& output = *plan.config.outputs.far_field;
  const bool scattered = std::holds_alternative<config::PlaneWave>(plan.config.sources.front());
  return {.sink = sink,
          .of = scattered ? dg::FarFieldTable::Of::scatterer : dg::FarFieldTable::Of::antenna,
          .faces = plan.far_field_faces,
          .around = {.medium = medium_outside(plan, plan.far_field_faces),
                     .images = maxwell::mirror_images(plan.config.symmetry)},
          .frequencies = inside(plan, output.frequencies),
          .frequency_factor = 1 / plan.scaling.frequency,
          .theta_deg = angles(output.theta),
          .phi_deg = output.phi,
          .sampling = *fourier_sampling(plan),
          .reference = *reference_signal(plan)};
}

std::vector<dg::Operator::Usage::Sums> frequency_sums(const config::Config& config, const dg::System& system,
                                                      std::size_t cells, std::size_t faces) {
  const int N = config.solver.order;
  std::vector<dg::Operator::Usage::Sums> sums;
  if (config.outputs.frequency_fields) {
    const config::FrequencyFieldOutput& output = *config.outputs.frequency_fields;
    std::size_t fields = 0;
    for (const dg::FieldGroup& group : dg::select_field_groups(system.fields, output.quantities)) {
      fields += group.fields.size();
    }
    sums.push_back({cells * static_cast<std::size_t>(dg::node_count(N)), fields, output.frequencies.size()});
  }
  if (config.outputs.far_field) {
    sums.push_back({faces * static_cast<std::size_t>(dg::face_node_count(N)), system.fields.size(),
                    config.outputs.far_field->frequencies.size()});
  }
  return sums;
}

}  // namespace maxwell_dg::simulation
