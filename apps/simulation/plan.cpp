#include "apps/simulation/plan.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "apps/config/materials/media.hpp"
#include "apps/config/resolve.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/checks/unit_checks.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/outputs/probe_spectra.hpp"
#include "apps/simulation/outputs/resonances.hpp"
#include "apps/simulation/phases.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/stopwatch.hpp"
#include "apps/simulation/terms.hpp"
#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "dg/observe/surface_series.hpp"
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

dg::Operator::Usage usage_of(const Plan& plan) {
  const dg::Discretization& d = *plan.discretization;
  dg::Operator::Usage usage =
      usage_of(plan.config, plan.problem, {d.K(), d.connectivity.boundary_faces.size(), plan.far_field_faces.size()});
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
  return usage;
}

/// Bytes of each of the ranks, ghosts not counted. Throws DeviceError for more than is free.
std::size_t forecast(const config::Config& config, const dg::Operator::Usage& usage, const core::Device& device,
                     const core::Communicator& ranks) {
  const std::size_t bytes = dg::Operator::forecast_bytes(usage, device.info()) / static_cast<std::size_t>(ranks.size());
  const std::size_t free = device.free_bytes();
  if (bytes > free) {
    throw DeviceError(core::counted(usage.size.elements, "element", "elements") + " of order " +
                      std::to_string(config.solver.order) + (usage.size.elements == 1 ? " needs " : " need ") +
                      (ranks.size() > 1 ? "on each of " + std::to_string(ranks.size()) + " ranks " : "") +
                      bytes_text(bytes) + " of device memory, and " + device.info().name + " has " + bytes_text(free) +
                      " free of " + bytes_text(device.info().memory_bytes) + "; take a coarser mesh, a lower order" +
                      (config.solver.precision == Dtype::float64 ? ", solver.precision: single" : "") +
                      " or a larger device");
  }
  return bytes;
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
  const double largest = plan.largest_dt, end = plan.end();
  const std::string guess = guess_of_end(plan);
  // More than anybody waits for; sooner where the unit was left out.
  const bool lacks_unit = !guess.empty() && !plan.config.with_unit.contains("time.end");
  if (!(end / largest < (lacks_unit ? 1e10 : 1e12))) {
    const std::string key = plan.config.time.end ? "time.end" : "time.periods";
    const std::string step = time_text(largest / plan.scaling.time, plan.config.units);
    refuse(plan.config, key,
           std::string("would take over ") + (lacks_unit ? "1e10" : "1e12") +
               " steps: the largest stable step, times cfl, is " + step +
               (guess.empty() ? "; ask for less time, or a larger solver.cfl" : guess) +
               (lacks_unit ? " Times without a unit are in seconds; if that is meant, write '" +
                                 core::format_number(*plan.config.time.end) + " s'"
                           : ""));
  }
  plan.steps = steps_for(end, largest);
  plan.dt = end / static_cast<double>(plan.steps);
}

/// The device of this rank. Each rank of a host takes a GPU of its own; a CPU serves all of them.
core::DeviceChoice device_of(const std::string& spec, const core::Communicator& ranks) {
  const core::Communicator here = ranks.on_this_host();  // all of them ask, also where they have no GPU
  core::DeviceChoice choice = core::choose_device(spec);
  if (here.size() == 1 || choice.info.is_cpu) return choice;
  if (spec.find(':') != std::string::npos) {
    throw ConfigError("device '" + spec + "' is one device, and " + std::to_string(here.size()) +
                      " ranks would share it on " + core::host_name() +
                      "; leave the number out: each rank then takes the one of its own number");
  }
  std::vector<core::DeviceInfo> devices = core::list_devices();
  std::erase_if(devices, [&](const core::DeviceInfo& info) { return info.backend != choice.info.backend; });
  if (here.size() > static_cast<int>(devices.size())) {
    throw DeviceError(core::host_name() + " has " + core::counted(devices.size(), "GPU", "GPUs") + " for " +
                      std::to_string(here.size()) + " ranks; start at most one for each GPU");
  }
  return {devices[static_cast<std::size_t>(here.rank())], "the one of this rank's number"};
}

}  // namespace

long steps_for(double duration, double largest) {
  return std::max(1L, static_cast<long>(std::ceil(duration / largest - 1e-3)));
}

Plan make_plan(config::Config config, const core::Communicator& ranks) {
  Plan plan{.config = std::move(config), .ranks = ranks};
  Stopwatch watch;
  const auto note = [&](const char* part) { plan.seconds.emplace_back(part, watch.lap()); };
  plan.scaling = config::Scaling::of(plan.config);
  const core::DeviceChoice choice = device_of(plan.config.device, ranks);
  plan.device = core::Device::open(choice.info);
  plan.device_reason = choice.reason;
  note("device");

  dg::System system = config::make_system(plan.config);
  plan.file_scaling = file_scaling(plan.config, system);
  if (const auto size = known_size(plan.config)) {
    const dg::Problem equations{.system = system};
    (void)forecast(plan.config, usage_of(plan.config, equations, *size), plan.device, ranks);
  }

  dg::Mesh mesh = config::make_mesh(plan.config);
  stretch_layer(plan.config, mesh);
  note("mesh");
  plan.discretization = std::make_shared<const dg::Discretization>(
      std::move(mesh), plan.config.solver.order,
      plan.config.has_phases() ? dg::FieldNumbers::complex : dg::FieldNumbers::real);
  note("discretization");

  const dg::Discretization& d = *plan.discretization;
  const dg::PointLocator locator(d.mesh, d.geometry);
  config::Resolved resolved = config::resolve(plan.config, std::move(system), d, locator);
  plan.problem = std::move(resolved.problem);
  plan.probes = std::move(resolved.probes);
  choose_method(plan);
  check_units(plan);
  plan.pml = add_terms(plan.config, d, resolved, plan.problem);
  add_phases(plan.config, d, plan.problem);
  plan.ports = add_ports(plan.config, d, resolved, plan.problem);
  plan.far_field_faces = far_field_faces(plan);
  if (plan.config.outputs.surface_fields) {
    plan.surface_faces = config::surface_faces(plan.config, "outputs.surface_fields.surfaces",
                                               plan.config.outputs.surface_fields->surfaces, d.mesh);
  }
  plan.device_bytes = forecast(plan.config, usage_of(plan), plan.device, ranks);
  choose_step(plan);
  check_frequencies(plan);
  check_s_parameters(plan);
  check_probe_spectra(plan);
  check_resonances(plan);
  require_carried(plan);
  note("problem");
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
           .ranks = plan.ranks}};
}

}  // namespace maxwell_dg::simulation
