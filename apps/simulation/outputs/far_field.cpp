#include "apps/simulation/outputs/far_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "apps/config/named_parts.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/sweep.hpp"
#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/maxwell/face_edges.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/enclosing_surface.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

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

/// Is this exterior face one of a conductor in the ground?
bool lies_in_ground(const Plan& plan, const dg::Connectivity::BoundaryFace& face) {
  const auto& ground = plan.config.outputs.far_field->ground;
  if (!ground) return false;
  const dg::Mesh& mesh = plan.discretization->mesh;
  return std::ranges::all_of(dg::face_vertices.at(dg::index(face.face)), [&](std::size_t corner) {
    const auto v = dg::index(mesh.cells[dg::index(face.cell)].at(corner));
    return std::abs(mesh.vertices[v].at(ground->axis) - ground->at) < maxwell::symmetry_tolerance(plan.whole.box);
  });
}

/// Walls that reflect: all but what absorbs, what stands behind the layer, and what lies in the surface itself.
void require_no_walls_outside(const Plan& plan, const std::vector<bool>& enclosed, const dg::RegionSet& regions) {
  const std::vector<bool> in_pml = elements_of_terms(plan.problem, enclosed.size(), "pml");
  for (std::size_t b = 0; b < plan.problem.boundary.size(); ++b) {
    const dg::Connectivity::BoundaryFace& face = plan.discretization->connectivity.boundary_faces[b];
    const auto k = static_cast<std::size_t>(face.cell);
    const dg::System::Boundary& condition = condition_at(plan.problem, b);
    if (enclosed[k] || regions.contains(face.behind) || in_pml[k] || condition.traits.absorbs ||
        condition.traits.is_symmetry || lies_in_ground(plan, face))
      continue;
    refuse_surface(plan, "outside of these regions all must be open space, but there is a boundary of type " +
                             condition.name + in_region_of(plan, k) +
                             (condition.name == "pec" ? "; a conducting plane that they stand on is `ground`" : ""));
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

/// Vertices at both ends, ascending: the same in all parts of a mesh.
using EdgePosition = std::array<dg::Point, 2>;

/// Edges of an odd number of the faces. Of parts, on all ranks those of all; collective.
std::vector<EdgePosition> rim_of(const Plan& plan, const std::vector<dg::ElementFace>& faces) {
  const dg::Mesh& mesh = plan.discretization->mesh;
  std::vector<EdgePosition> edges, odd;
  for (const dg::ElementFace& face : faces) {
    for (const maxwell::Edge& edge : maxwell::edges_of(mesh, face)) {
      const auto [first, last] = std::minmax(mesh.vertices[dg::index(edge[0])], mesh.vertices[dg::index(edge[1])]);
      edges.push_back({first, last});
    }
  }
  const auto keep_odd = [&] {
    std::ranges::sort(edges);
    odd.clear();
    for (const EdgePosition& edge : edges) {
      if (!odd.empty() && odd.back() == edge) {
        odd.pop_back();
      } else {
        odd.push_back(edge);
      }
    }
  };
  keep_odd();
  edges = core::all_of(plan.ranks_with_parts(), odd);
  keep_odd();
  return odd;
}

/// At both ends.
bool lies_at(const EdgePosition& edge, std::size_t axis, double at, double tolerance) {
  return std::ranges::all_of(edge, [&](const dg::Point& x) { return std::abs(x.at(axis) - at) < tolerance; });
}

/// Where the surface ends but in planes of symmetry and on the ground. Collective.
void warn_of_open_surface(const Plan& plan, const std::vector<dg::ElementFace>& faces) {
  const double tolerance = maxwell::symmetry_tolerance(plan.whole.box);
  const auto& ground = plan.config.outputs.far_field->ground;
  for (const EdgePosition& edge : rim_of(plan, faces)) {
    const bool in_plane = std::ranges::any_of(plan.config.symmetry, [&](const maxwell::SymmetryPlane& plane) {
      return lies_at(edge, plane.axis, 0, tolerance);
    });
    if (in_plane || (ground && lies_at(edge, ground->axis, ground->at, tolerance))) continue;
    return warn(
        plan.config, enclosing_key,
        "the surface of these regions is not closed, but ends at " + dg::text_of(edge[0]) +
            ": what leaves elsewhere is not in the far field; leave a region of the medium between them and the "
            "outside of the mesh; only a plane of `symmetry` or a conducting `ground` may cut it");
  }
}

/// On which side of the ground the surface lies; none where that is not asked for. Collective.
std::optional<maxwell::Ground> ground_of(const Plan& plan, const std::vector<dg::ElementFace>& faces) {
  const auto& asked = plan.config.outputs.far_field->ground;
  if (!asked) return std::nullopt;
  double highest = 0, lowest = 0;
  for (const dg::ElementFace& face : faces) {
    for (const std::size_t corner : dg::face_vertices.at(dg::index(face.face))) {
      const auto v = dg::index(plan.discretization->mesh.cells[face.element].at(corner));
      const double height = plan.discretization->mesh.vertices[v].at(asked->axis) - asked->at;
      highest = std::max(highest, height);
      lowest = std::min(lowest, height);
    }
  }
  plan.ranks_with_parts().max({&highest, 1});
  plan.ranks_with_parts().min({&lowest, 1});
  return maxwell::Ground{.axis = asked->axis, .at = asked->at, .side = highest > -lowest ? 1.0 : -1.0};
}

/// Throws where a ground does not end all that is outside of the surface, as a conductor. Collective.
void require_ground(const Plan& plan, const std::vector<bool>& enclosed, const std::vector<dg::ElementFace>& faces) {
  const std::optional<maxwell::Ground> ground = ground_of(plan, faces);
  if (!ground) return;
  const std::string key = "outputs.far_field.ground", name = std::string(1, "xyz"[ground->axis]);
  const std::string plane = name + " = " + brief(ground->at);
  const double tolerance = maxwell::symmetry_tolerance(plan.whole.box);
  const dg::Mesh& mesh = plan.discretization->mesh;
  bool is_met = false;
  core::on_all_ranks<ConfigError>(plan.ranks_with_parts(), [&] {
    for (const maxwell::SymmetryPlane& symmetry : plan.config.symmetry) {
      if (symmetry.axis != ground->axis) continue;
      refuse(plan.config, key + ".plane",
             "has the direction of the plane of symmetry " + name_of(symmetry) + ": leave one of them out");
    }
    for (std::size_t k = 0; k < enclosed.size(); ++k) {
      const bool is_below = std::ranges::any_of(mesh.cells[k], [&](std::int32_t v) {
        return ground->side * (mesh.vertices[dg::index(v)].at(ground->axis) - ground->at) < -tolerance;
      });
      if (enclosed[k] || !is_below) continue;
      refuse(plan.config, key,
             "the mesh goes on beyond " + plane + in_region_of(plan, k) +
                 ", where only regions under `enclosing` may: end it there, with a boundary of type "
                 "pec");
    }
    for (std::size_t b = 0; b < plan.problem.boundary.size(); ++b) {
      const dg::Connectivity::BoundaryFace& face = plan.discretization->connectivity.boundary_faces[b];
      const auto k = dg::index(face.cell);
      if (enclosed[k] || !lies_in_ground(plan, face)) continue;
      is_met = true;
      const std::string& type = condition_at(plan.problem, b).name;
      if (type == "pec") continue;
      refuse(plan.config, key,
             "a boundary of type " + type + " lies in " + plane + in_region_of(plan, k) +
                 ": the ground is a perfect conductor, so give it type pec");
    }
  });
  if (core::on_any(plan.ranks_with_parts(), is_met)) return;
  refuse(plan.config, key,
         "no boundary outside of the enclosed regions lies in " + plane +
             ": let the mesh end on the ground, with a boundary of type pec");
}

}  // namespace

std::vector<dg::ElementFace> far_field_faces(const Plan& plan) {
  if (!plan.config.outputs.far_field) return {};
  if (plan.config.sources.empty())
    refuse(plan.config, "outputs.far_field", "needs a source: a plane wave, a dipole, a current or a port");
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
  require_ground(plan, enclosed, faces);
  core::on_all_ranks<ConfigError>(ranks, [&] {
    require_one_medium_outside(plan, enclosed, medium);
    require_no_terms_outside(plan, enclosed, faces);
    require_no_face_terms_outside(plan, enclosed);
    require_total_fields_inside(plan, enclosed);
    require_no_walls_outside(plan, enclosed, regions);
  });
  warn_of_open_surface(plan, faces);
  return faces;
}

void check_antenna_feeds(const Plan& plan) {
  const config::Config& config = plan.config;
  if (!config.outputs.far_field) return;
  const std::vector<double>& frequencies = config.outputs.far_field->frequencies;
  for (std::size_t p = 0; p < plan.ports.size(); ++p) {
    const double cutoff = plan.ports[p].mode.cutoff_frequency() / plan.scaling.frequency;
    for (std::size_t i = 0; i < frequencies.size() && plan.ports[p].driven_from; ++i) {
      if (frequencies[i] > cutoff) continue;
      refuse(config, "outputs.far_field.frequencies." + std::to_string(i),
             frequency_text(frequencies[i], config.units) + " is not above " + frequency_text(cutoff, config.units) +
                 ", where the mode of port '" + config.ports[p].name +
                 "' is cut off: ask for frequencies at which it propagates");
    }
  }
}

dg::FarFieldTable::Options far_field_options(const Plan& plan, dg::Sink& sink) {
  const config::FarFieldOutput& output = *plan.config.outputs.far_field;
  const config::Source& first = plan.config.sources.front();
  const bool scattered = std::holds_alternative<config::PlaneWave>(first);
  const auto reference = reference_signal(plan);
  const double time = reference ? 1 : plan.scaling.time;  // of a transform that is divided by none
  const auto unit = [](config::Vector3 v) {
    const double size = dg::length(v);
    for (double& x : v) x /= size;
    return v;
  };
  return {.sink = sink,
          .of = scattered ? dg::FarFieldTable::Of::scatterer : dg::FarFieldTable::Of::antenna,
          .faces = plan.far_field_faces,
          .around = {.medium = medium_outside(plan, plan.far_field_faces),
                     .images = maxwell::mirror_images(plan.config.symmetry),
                     .ground = ground_of(plan, plan.far_field_faces)},
          .frequencies = frequencies_inside(plan, output.frequencies),
          .frequency_factor = 1 / plan.scaling.frequency,
          .field_factor = 1 / time,
          .antenna_units = {.power = plan.scaling.time / plan.scaling.energy / (time * time),
                            .impedance = 1 / plan.scaling.impedance},
          .theta_deg = angles(output.theta),
          .phi_deg = output.phi,
          .polarization = {.boresight = unit(output.co_polarization.boresight),
                           .along = unit(output.co_polarization.along)},
          .surface_step_deg = output.pattern_step,
          .sampling = *fourier_sampling(plan),
          .reference = reference,
          .ports = std::holds_alternative<config::DrivenPorts>(first) ? plan.ports : std::vector<maxwell::Port>()};
}

}  // namespace maxwell_dg::simulation
