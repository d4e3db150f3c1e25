#include "apps/simulation/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "apps/config/materials/media.hpp"
#include "apps/config/mesh_keys.hpp"
#include "apps/config/named_parts.hpp"
#include "apps/config/resolve.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/checks/unit_checks.hpp"
#include "apps/simulation/elements.hpp"
#include "apps/simulation/gaps.hpp"
#include "apps/simulation/mesh_slices.hpp"
#include "apps/simulation/outputs/far_field.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/outputs/probe_spectra.hpp"
#include "apps/simulation/outputs/resonances.hpp"
#include "apps/simulation/outputs/shielding.hpp"
#include "apps/simulation/phases.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/rank_device.hpp"
#include "apps/simulation/stopwatch.hpp"
#include "apps/simulation/terms.hpp"
#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/observe/surface_series.hpp"
#include "dg/partition/distributed/cell_slice.hpp"
#include "dg/partition/element_costs.hpp"
#include "dg/partition/mesh_part.hpp"
#include "dg/partition/restricted.hpp"
#include "dg/partition/shared_partition.hpp"
#include "dg/time/stable_step.hpp"

namespace maxwell_dg::simulation {
namespace {

struct MeshSize {
  std::size_t cells, boundary_faces, far_field_faces = 0;
};

/// A box need not be built to know that it is too large.
std::optional<MeshSize> known_size(const config::Config& config) {
  const std::optional<config::MeshBox>& box = config.mesh.box;
  if (!box) return std::nullopt;
  const auto n = [&](std::size_t axis) { return static_cast<std::size_t>(box->cells[axis]); };
  const std::size_t parts = config.has_phases() ? 2 : 1;
  return MeshSize{parts * 6 * n(0) * n(1) * n(2), parts * 4 * (n(0) * n(1) + n(1) * n(2) + n(2) * n(0))};
}

dg::Operator::Usage usage_of(const config::Config& config, const dg::Problem& problem, MeshSize size) {
  const std::size_t materials = config::varies_by_place(config) ? size.cells : config.materials.size();
  return {.problem = problem,
          .N = config.solver.order,
          .options = {.precision = config.solver.precision},
          .size = {.elements = size.cells, .boundary_faces = size.boundary_faces, .materials = materials},
          .sums = frequency_sums(config, problem.system, size.cells, size.far_field_faces)};
}

/// Of the whole mesh or of the part that this rank has; `far_field_faces`: how many of these it has.
dg::Operator::Usage usage_of(const Plan& plan, const dg::Discretization& d, const dg::Problem& problem,
                             std::size_t far_field_faces) {
  dg::Operator::Usage usage =
      usage_of(plan.config, problem, {d.K(), d.connectivity.boundary_faces.size(), far_field_faces});
  usage.options.powers = plan.wants_powers();
  usage.size.ranges = d.ranges.size();
  const dg::CurvedCells& curved = d.mesh.curved;
  if (curved.any()) usage.size.curved = curved.count();
  for (const dg::Connectivity::BoundaryFace& face : d.connectivity.boundary_faces) {
    if (curved.is_curved(dg::index(face.cell))) ++usage.size.curved_boundary_faces;
  }
  usage.discretization = &d;
  usage.records.push_back({.points = plan.surface_faces.faces.size() * static_cast<std::size_t>(d.Nfp()),
                           .fields = plan.problem.system.fields.size(),
                           .batch = dg::SurfaceSeries::batch});
  add_port_waves(plan, usage);
  add_probe_levels(plan, usage);
  add_element_signals(plan, usage);
  return usage;
}

/// Throws DeviceError where a rank's share of so many elements needs more than is free for it.
void require_free(const Plan& plan, std::size_t elements, std::size_t bytes) {
  const core::Device& device = plan.device;
  const bool has_ranks = plan.ranks.size() > 1;
  const std::size_t free = free_bytes(plan);
  if (bytes <= free) return;
  throw DeviceError(core::counted(elements, "element", "elements") + " of order " +
                    std::to_string(plan.config.solver.order) + (elements == 1 ? " needs " : " need ") +
                    (has_ranks ? "on one of " + std::to_string(plan.ranks.size()) + " ranks " : "") +
                    bytes_text(bytes) + " of device memory, and " + device.info().name + " has " + bytes_text(free) +
                    " free" + (has_ranks ? " for each" : "") + " of " + bytes_text(device.info().memory_bytes) +
                    "; take a coarser mesh, a lower order" +
                    (plan.config.solver.precision == Dtype::float64 ? ", solver.precision: single" : "") +
                    (has_ranks ? ", more ranks" : "") + " or a larger device");
}

/// Of a mesh that is not there yet: all that a rank needs, but for ghosts and what is not even.
void forecast_early(const Plan& plan, const dg::System& system, MeshSize size) {
  const dg::Problem equations{.system = system};
  const std::size_t bytes = dg::Operator::forecast_bytes(usage_of(plan.config, equations, size), plan.device.info());
  require_free(plan, size.cells, bytes / static_cast<std::size_t>(plan.ranks.size()));
}

/// Divides the mesh among several ranks, and forecasts what this one takes on its device.
void divide(Plan& plan) {
  const dg::Discretization& d = *plan.discretization;
  if (plan.ranks.size() == 1) return forecast_memory(plan, d, plan.problem, plan.far_field_faces.size());
  const bool is_cpu = plan.device.info().is_cpu;
  plan.partition = dg::shared_partition(d, plan.problem, is_cpu, plan.ranks);
  const std::vector<int>& rank_of_element = plan.partition->rank_of_element;
  plan.loads =
      dg::part_loads(d, plan.problem, rank_of_element, plan.ranks.size(), dg::element_costs(d, plan.problem, is_cpu));
  const dg::MeshPart part = dg::part_of(d, plan.problem, rank_of_element, plan.ranks.rank());
  const auto own_faces = std::ranges::count_if(plan.far_field_faces, [&](const dg::ElementFace& face) {
    return rank_of_element[face.element] == plan.ranks.rank();
  });
  forecast_memory(plan, dg::restricted(d, part), dg::restricted(plan.problem, d, part),
                  static_cast<std::size_t>(own_faces));
}

/// The whole mesh, and the problem on it.
void plan_whole(Plan& plan, dg::System system, std::shared_ptr<const dg::Discretization> known) {
  Stopwatch watch;
  const auto note = [&](const char* part) { plan.seconds.emplace_back(part, watch.lap()); };
  plan.discretization = std::move(known);
  if (plan.discretization == nullptr) {
    dg::Mesh mesh = config::make_mesh(plan.config, [&](const dg::Mesh& source, const std::vector<bool>& varying) {
      return regions_to_curve(plan.config, source, varying);
    });
    stretch_layer(plan.config, mesh);
    note("mesh");
    plan.discretization = std::make_shared<const dg::Discretization>(std::move(mesh), plan.config.solver.order,
                                                                     field_numbers(plan.config));
    note("discretization");
  }

  const dg::Discretization& d = *plan.discretization;
  const dg::PointLocator locator(d.mesh, d.geometry);
  config::Resolved resolved = config::resolve(plan.config, std::move(system), d, locator);
  plan.problem = std::move(resolved.problem);
  plan.probes = std::move(resolved.probes);
  describe_whole(plan);
  choose_method(plan);
  check_units(plan);
  plan.pml = add_terms(plan.config, d, resolved, plan.problem, {});
  add_phases(plan.config, d, plan.problem);
  require_conductors(plan.config, d, plan.problem);
  plan.ports = make_ports(plan.config, d, resolved.ports, plan.problem);
  add_port_terms(plan.config, d, plan.ports, plan.problem);
  plan.elements = make_elements(plan.config, d, plan.problem);
  add_element_terms(plan.config, plan.elements, plan.problem);
  plan.far_field_faces = far_field_faces(plan);
  if (plan.config.outputs.surface_fields) {
    plan.surface_faces = config::surface_faces(plan.config, "outputs.surface_fields.surfaces",
                                               plan.config.outputs.surface_fields->surfaces, d.mesh);
  }
  choose_step(plan);
  check_frequencies(plan);
  check_s_parameters(plan);
  check_antenna_feeds(plan);
  check_probe_spectra(plan);
  plan_shielding(plan);
  check_resonances(plan);
  require_carried(plan);
  if (plan.ranks.size() > 1) note("problem");
  divide(plan);
  note(plan.ranks.size() > 1 ? "partition" : "problem");
}

/// Returns whether it could.
bool plan_by_slices(Plan& plan, const dg::System& system) {
  const std::unique_ptr<const dg::MeshRows> rows = mesh_to_slice(plan);
  if (!rows) return false;
  try {
    plan_part(plan, *rows, system);
    return true;
  } catch (const dg::NeedsWholeMesh& reason) {
    log_info("each rank reads the whole mesh: " + std::string(reason.what()));
    return false;
  }
}

}  // namespace

bool Plan::is_of_mesh(const std::string& digest) const {
  return digest == mesh_digest || (!is_part && digest == dg::digest(discretization->mesh));
}

void choose_method(Plan& plan) {
  config::Solver& solver = plan.config.solver;
  if (!solver.integrator) solver.integrator = dg::default_method(solver.order, plan.problem.system.alpha).name;
  plan.method = dg::find_runge_kutta(*solver.integrator);
  if (plan.method == nullptr) {
    refuse(plan.config, "solver.integrator", "'" + *solver.integrator + "' is not known");
  }
}

void choose_step(Plan& plan) {
  const config::Solver& solver = plan.config.solver;
  plan.largest_dt = solver.cfl * dg::stable_step(*plan.discretization, plan.problem, *plan.method);
  if (plan.is_part) plan.ranks.min({&plan.largest_dt, 1});
  const double largest = plan.largest_dt, end = plan.end();
  const std::string guess = guess_of_end(plan);
  // More than anybody waits for; sooner where the unit was left out.
  const std::string key = plan.config.end_key();
  const bool lacks_unit = !guess.empty() && !plan.config.with_unit.contains(key);
  if (!(end / largest < (lacks_unit ? 1e10 : 1e12))) {
    const std::string step = time_text(largest / plan.scaling.time, plan.config.units);
    refuse(plan.config, key,
           std::string("would take over ") + (lacks_unit ? "1e10" : "1e12") +
               " steps: the largest stable step, times cfl, is " + step +
               (guess.empty() ? "; ask for less time, or a larger solver.cfl" : guess) +
               (lacks_unit ? " Times without a unit are in seconds; if that is meant, write '" +
                                 core::format_number(plan.config.end_time()) + " s'"
                           : ""));
  }
  plan.steps = steps_for(end, largest);
  plan.dt = end / static_cast<double>(plan.steps);
  plan.end_rule = end_rule(plan);
}

std::size_t free_bytes(const Plan& plan) {
  const bool is_shared = plan.device.info().is_cpu;
  return plan.device.free_bytes() / static_cast<std::size_t>(is_shared ? plan.ranks_here : 1);
}

long steps_for(double duration, double largest) {
  return std::max(1L, static_cast<long>(std::ceil(duration / largest - 1e-3)));
}

void describe_whole(Plan& plan) {
  const dg::Discretization& d = *plan.discretization;
  dg::BoundingBox box = dg::bounding_box(d.mesh.vertices);
  const std::vector<double> speed = dg::in_each_element(plan.problem, plan.problem.system.max_speed, d.K());
  WholeMesh whole{
      .elements = d.own(), .vertices = d.mesh.vertices.size(), .least_speed = *std::ranges::min_element(speed)};
  for (std::size_t k = 0; k < d.own(); ++k) {
    if (d.mesh.curved.is_curved(k)) ++whole.curved;
    whole.volume += std::abs(d.geometry.J[k]);
  }
  whole.volume *= 4.0 / 3;
  if (plan.is_part) {
    plan.ranks.min(box.min);
    plan.ranks.max(box.max);
    plan.ranks.min({&whole.least_speed, 1});
    std::array<double, 3> sums{static_cast<double>(whole.elements), static_cast<double>(whole.curved), whole.volume};
    plan.ranks.sum(sums);
    whole.elements = static_cast<std::size_t>(sums[0]);
    whole.curved = static_cast<std::size_t>(sums[1]);
    whole.vertices = plan.whole.vertices;
    whole.volume = sums[2];
  }
  whole.box = box;
  whole.diagonal = box.diagonal();
  plan.whole = whole;
}

void forecast_memory(Plan& plan, const dg::Discretization& d, const dg::Problem& problem, std::size_t far_field_faces) {
  plan.device_bytes = dg::Operator::forecast_bytes(usage_of(plan, d, problem, far_field_faces), plan.device.info());
  require_free(plan, plan.whole.elements, plan.device_bytes);
}

Plan make_plan(config::Config config, const core::Communicator& ranks, MeshIs mesh,
               std::shared_ptr<const dg::Discretization> known) {
  Plan plan{.config = std::move(config), .ranks = ranks};
  Stopwatch watch;
  plan.scaling = config::Scaling::of(plan.config);
  const core::Communicator here = ranks.on_this_host();
  plan.ranks_here = here.size();
  const core::DeviceChoice choice = device_of_rank(plan.config.device, here);
  plan.device = core::Device::open(choice.info);
  plan.device_reason = choice.reason;
  plan.seconds.emplace_back("device", watch.lap());

  const dg::System system = config::make_system(plan.config);
  plan.file_scaling = file_scaling(plan.config, system);
  if (const auto size = known_size(plan.config)) {
    forecast_early(plan, system, *size);
  }
  if (known == nullptr && mesh == MeshIs::part_if_large && plan_by_slices(plan, system)) return plan;
  plan_whole(plan, system, std::move(known));
  if (mesh == MeshIs::part_if_large) advise_conversion(plan);
  return plan;
}

dg::Operator make_operator(const Plan& plan, const rtcg::Compiler& compiler, const dg::Schedule& schedule,
                           const dg::CurvedVariant& curved) {
  return {compiler,
          plan.discretization,
          plan.problem,
          {.precision = plan.config.solver.precision,
           .schedule = schedule,
           .curved = curved,
           .powers = plan.wants_powers(),
           .ranks = plan.ranks,
           .rank_of_element = plan.partition ? plan.partition->rank_of_element : std::vector<int>()}};
}

}  // namespace maxwell_dg::simulation
