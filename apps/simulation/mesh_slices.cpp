#include "apps/simulation/mesh_slices.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "apps/config/mesh_keys.hpp"
#include "apps/config/resolve.hpp"
#include "apps/simulation/checks/unit_checks.hpp"
#include "apps/simulation/elements.hpp"
#include "apps/simulation/gaps.hpp"
#include "apps/simulation/outputs/far_field.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/outputs/probe_spectra.hpp"
#include "apps/simulation/outputs/resonances.hpp"
#include "apps/simulation/outputs/shielding.hpp"
#include "apps/simulation/phases.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/slice_costs.hpp"
#include "apps/simulation/stopwatch.hpp"
#include "apps/simulation/surroundings.hpp"
#include "apps/simulation/terms.hpp"
#include "core/log.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/mesh/file_kind.hpp"
#include "dg/mesh/surface_sides.hpp"
#include "dg/partition/distributed/complex_part.hpp"
#include "dg/partition/distributed/part_reading.hpp"
#include "dg/partition/element_costs.hpp"
#include "dg/partition/restricted.hpp"

namespace maxwell_dg::simulation {

namespace {

std::unique_ptr<const dg::MeshRows> open(const config::Config& config) {
  const config::MeshSource& mesh = config.mesh;
  if (mesh.in_memory) return nullptr;
  if (mesh.box) return dg::rows_of(dg::Box{mesh.box->min, mesh.box->max, mesh.box->cells});
  if (dg::kind_of_mesh_file(*mesh.file) != dg::MeshFileKind::hdf5) return nullptr;
  return dg::open_mesh(*mesh.file, config::mesh_reading(config).scale.value_or(1));
}

/// [surface] of the whole mesh, but for faces between two elements of different ranks, which count twice.
std::vector<dg::SurfaceSides> surfaces_of_all(const dg::Mesh& part, const core::Communicator& ranks) {
  std::vector<dg::SurfaceSides> sides = dg::surface_sides(part);
  std::vector<double> counts;
  for (const dg::SurfaceSides& of_surface : sides) {
    counts.push_back(static_cast<double>(of_surface.outer));
    counts.push_back(static_cast<double>(of_surface.between));
  }
  ranks.sum(counts);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    sides[s] = {static_cast<std::size_t>(counts[2 * s]), static_cast<std::size_t>(counts[2 * s + 1])};
  }
  return sides;
}

/// A probe that lies in elements of several ranks belongs to the first of these.
void share_probes(Plan& plan) {
  std::vector<double> rank;
  for (const dg::PointLocation& probe : plan.probes) {
    const bool is_here = probe.cell != dg::PointLocation::elsewhere;
    rank.push_back(is_here ? plan.ranks.rank() : plan.ranks.size());
  }
  plan.ranks.min(rank);
  for (std::size_t i = 0; i < rank.size(); ++i) {
    if (rank[i] >= plan.ranks.size()) {
      throw dg::NeedsWholeMesh("probe '" + plan.config.outputs.probes[i].name + "' is in no rank's part");
    }
    if (rank[i] != plan.ranks.rank()) plan.probes[i].cell = dg::PointLocation::elsewhere;
  }
}

/// Of outputs.surface_fields, those of own elements.
config::SurfaceFaces own_surface_faces(const Plan& plan) {
  if (!plan.config.outputs.surface_fields) return {};
  const config::SurfaceFaces all =
      config::surface_faces(plan.config, "outputs.surface_fields.surfaces",
                            plan.config.outputs.surface_fields->surfaces, plan.discretization->mesh);
  config::SurfaceFaces own;
  for (std::size_t i = 0; i < all.faces.size(); ++i) {
    if (all.faces[i].element >= plan.discretization->own()) continue;
    own.faces.push_back(all.faces[i]);
    own.surface.push_back(all.surface[i]);
  }
  return own;
}

/// Throws NeedsWholeMesh unless the mesh ends at each plane of symmetry. `planes`: config::Resolved's.
void require_planes(const Plan& plan, const std::vector<int>& planes) {
  for (std::size_t i = 0; i < plan.config.symmetry.size(); ++i) {
    if (core::on_any(plan.ranks, std::ranges::find(planes, static_cast<int>(i)) != planes.end())) continue;
    throw dg::NeedsWholeMesh("no part of it ends at the plane of symmetry " + name_of(plan.config.symmetry[i]));
  }
}

/// Throws NeedsWholeMesh where nothing of a smooth medium varies in any part. `within`: config::Resolved's.
void require_variation(const Plan& plan, const std::vector<double>& within) {
  std::vector<double> least = within, most = within;
  plan.ranks.min(least);
  plan.ranks.max(most);
  for (std::size_t m = 0; m < within.size(); ++m) {
    if (least[m] < 0 && most[m] <= 0) throw dg::NeedsWholeMesh("nothing of a smooth medium varies");
  }
}

/// Throws NeedsWholeMesh unless all ranks have the same terms: what numbers them must not depend on the part.
void require_same_terms(const Plan& plan) {
  std::string names;
  for (const dg::ElementTerm& term : plan.problem.element_terms) names += term.name + '\n';
  for (const dg::FaceTerm& term : plan.problem.face_terms) names += term.name + '\n';
  const bool differs = plan.ranks.broadcast(names) != names;
  if (!plan.ranks.first_reason(differs ? "differs" : "").empty()) {
    throw dg::NeedsWholeMesh("not all parts have the same terms");
  }
}

/// What each rank does; all are told.
void share_loads(Plan& plan) {
  const dg::Discretization& d = *plan.discretization;
  const std::vector<double> costs = dg::element_costs(d, plan.problem, plan.device.info().is_cpu);
  dg::PartLoad mine{.elements = d.own(), .ghosts = d.K() - d.own(), .neighbours = d.halo.links.size()};
  for (const dg::Halo::Link& link : d.halo.links) mine.traces_sent += link.sent.size();
  for (std::size_t k = 0; k < d.own(); ++k) {
    mine.cost += costs[k];
    for (const std::int32_t n : d.connectivity.neighbours[k]) {
      if (n >= 0 && dg::index(n / 4) >= d.own()) ++mine.faces_cut;
    }
  }
  plan.loads.clear();
  for (const auto& of_rank : plan.ranks.gather_to_all(std::as_bytes(std::span(&mine, 1)))) {
    plan.loads.push_back(core::values_of<dg::PartLoad>(of_rank).front());
  }
  double total = 0;
  for (const dg::PartLoad& load : plan.loads) total += load.cost;
  dg::PartitionQuality quality;
  for (dg::PartLoad& load : plan.loads) {
    load.cost *= plan.ranks.size() / total;
    quality.faces_cut += load.faces_cut;
    quality.most_faces_cut = std::max(quality.most_faces_cut, load.faces_cut);
    quality.most_neighbours = std::max(quality.most_neighbours, load.neighbours);
    quality.imbalance = std::max(quality.imbalance, load.cost);
  }
  quality.faces_cut /= 2;
  plan.partition = dg::Partition{.rank_of_element = {}, .method = dg::PartitionMethod::curve, .quality = quality};
}

/// The ports and lumped elements, which all ranks find alike from what is around them.
void add_ports_and_elements(Plan& plan, dg::CellsAround around, const std::vector<int>& ports) {
  if (plan.config.ports.empty() && plan.config.elements.empty()) return;
  const Surroundings surroundings(plan.config, std::move(around), *plan.discretization, plan.problem, ports,
                                  plan.ranks);
  on_parts(plan.ranks, [&] {
    require_conductors(plan.config, *plan.discretization, plan.problem);
    plan.ports = make_ports(plan.config, surroundings.discretization(), surroundings.ports(), surroundings.problem());
    plan.elements = make_elements(plan.config, surroundings.discretization(), surroundings.problem());
  });
  for (dg::maxwell::Port& port : plan.ports) surroundings.number_as_part(port.mode);
  for (dg::maxwell::LumpedElement& element : plan.elements) surroundings.number_as_part(element.mode);
  add_port_terms(plan.config, *plan.discretization, plan.ports, plan.problem);
  on_parts(plan.ranks, [&] { add_element_terms(plan.config, plan.elements, plan.problem); });
}

/// The problem on the part. Every rank comes to each of the collective functions, or throws with all others.
void make_problem(Plan& plan, dg::System system, dg::CellsAround around) {
  const dg::Discretization& d = *plan.discretization;
  const config::OfWholeMesh whole{.surfaces = surfaces_of_all(d.mesh, plan.ranks),
                                  .box = dg::bounding_box_of_all(d.mesh.vertices, plan.ranks)};
  config::Resolved resolved;
  on_parts(plan.ranks, [&] {
    const dg::PointLocator locator(d.mesh, d.geometry, d.own());
    resolved = config::resolve_part(plan.config, std::move(system), d, locator, whole);
  });
  require_planes(plan, resolved.planes);
  require_variation(plan, resolved.within);
  plan.problem = std::move(resolved.problem);
  dg::integrate_losses(plan.problem, d, plan.ranks);
  plan.probes = std::move(resolved.probes);
  share_probes(plan);
  describe_whole(plan);
  choose_method(plan);
  on_parts(plan.ranks, [&] { check_units(plan); });
  on_parts(plan.ranks, [&] { plan.pml = add_terms(plan.config, d, resolved, plan.problem, plan.ranks); });
  on_parts(plan.ranks, [&] { add_phases(plan.config, d, plan.problem); });
  require_same_terms(plan);
  add_ports_and_elements(plan, std::move(around), resolved.ports);
  on_parts(plan.ranks, [&] { plan.far_field_faces = far_field_faces(plan); });
  on_parts(plan.ranks, [&] { plan.surface_faces = own_surface_faces(plan); });
  plan.problem = dg::with_own_terms(plan.problem, d);
  choose_step(plan);
  on_parts(plan.ranks, [&] {
    check_frequencies(plan);
    check_s_parameters(plan);
    check_antenna_feeds(plan);
    check_probe_spectra(plan);
    check_resonances(plan);
  });
  on_parts(plan.ranks, [&] { plan_shielding(plan); });
  on_parts(plan.ranks, [&] { require_carried(plan); });
}

}  // namespace

std::unique_ptr<const dg::MeshRows> mesh_to_slice(const Plan& plan) {
  if (plan.ranks.size() == 1) return nullptr;
  std::unique_ptr<const dg::MeshRows> rows;
  core::on_all_ranks<MeshError>(plan.ranks, [&] { rows = open(plan.config); });
  if (!rows || rows->content.cells <= static_cast<std::size_t>(plan.config.mesh.slices_above)) return nullptr;
  return rows;
}

void advise_conversion(const Plan& plan) {
  const std::optional<std::filesystem::path>& file = plan.config.mesh.file;
  if (plan.ranks.size() == 1 || !file || dg::kind_of_mesh_file(*file) == dg::MeshFileKind::hdf5) return;
  if (plan.whole.elements <= static_cast<std::size_t>(plan.config.mesh.slices_above)) return;
  const std::filesystem::path converted = std::filesystem::path(*file).replace_extension(".h5");
  log_info("each rank reads the whole mesh, of " + std::to_string(plan.whole.elements) +
           " elements: of an .h5 file each would read a slice; maxwell_dg --convert " + file->string() + " " +
           converted.string() + " makes one, once");
}

void plan_part(Plan& plan, const dg::MeshRows& rows, dg::System system) {
  const Plan before = plan;
  Stopwatch watch;
  const auto note = [&](const char* part) { plan.seconds.emplace_back(part, watch.lap()); };
  try {
    const dg::CellCost cost = cell_cost(plan.config, rows.content, plan.device.info().is_cpu);
    const auto pairs = config::periodic_pairs(plan.config, rows.content.surfaces);
    const auto read = [&](const std::vector<bool>& as_curved) {
      return dg::read_part(rows, cost, pairs, plan.ranks,
                           {.walls = config::walls(plan.config, rows.content.surfaces),
                            .around = surfaces_with_modes(plan.config, rows.content.surfaces),
                            .as_curved = as_curved});
    };
    const std::vector<bool> varying = config::varying_regions(plan.config, rows.content.regions);
    dg::PartOfMesh part = read(varying);
    if (rows.content.curved_cells > 0 && plan.config.pml) {
      // Only once there are faces it is known whether a PML is round.
      const auto as_curved = regions_to_curve(plan.config, dg::discretization_of(part, 1), varying, plan.ranks);
      if (as_curved != varying) part = read(as_curved);
    }
    dg::CellsAround around = std::move(part.around);
    if (is_stretched(plan.config)) {
      on_parts(plan.ranks, [&] { stretch_layer(plan.config, part.mesh, dg::discretization_of(part, 1), plan.ranks); });
    }
    if (plan.config.has_phases()) part = dg::with_imaginary_parts(std::move(part));
    plan.whole.vertices = part.whole_vertices;
    note("mesh");
    plan.discretization = std::make_shared<const dg::Discretization>(
        dg::discretization_of(std::move(part), plan.config.solver.order, field_numbers(plan.config)));
    plan.is_part = true;
    note("discretization");
    make_problem(plan, std::move(system), std::move(around));
    note("problem");
    share_loads(plan);
    note("partition");
  } catch (const dg::NeedsWholeMesh&) {
    plan = before;
    throw;
  }
  forecast_memory(plan, *plan.discretization, plan.problem, plan.far_field_faces.size());
}

}  // namespace maxwell_dg::simulation
