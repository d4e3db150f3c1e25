#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/named_parts.hpp"
#include "apps/config/scaling.hpp"
#include "apps/simulation/end_rule.hpp"
#include "core/device/device.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/maxwell/lumped_element.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/maxwell/port.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/observe/files/file_scaling.hpp"
#include "dg/operator/operator.hpp"
#include "dg/partition/part_loads.hpp"
#include "dg/partition/partition.hpp"
#include "dg/time/runge_kutta.hpp"
#include "dg/time/time_loop.hpp"
#include "dg/variants/variants.hpp"

namespace maxwell_dg::simulation {

/// What every rank knows of the whole mesh, also where it has its part alone.
struct WholeMesh {
  std::size_t elements{}, vertices{};  ///< of complex fields both copies
  std::size_t curved{};                ///< elements
  dg::BoundingBox box{};               ///< around it
  double diagonal{};                   ///< of that
  double volume{};
  double least_speed{};  ///< of the fastest waves in each element
};

/// Whether a plan may be of the part of a mesh that a rank reads by slices.
enum class MeshIs { whole, part_if_large };

/// All that is known of a run before its first kernel: what --check prints and `run` carries out.
struct Plan {
  config::Config config;
  std::string run_id;         ///< of this run and those that it goes on from, unlike any other's
  std::string mesh_digest;    ///< dg::digest_of_all, of a run alone: --check does without
  config::Scaling scaling;    ///< from the config's units to those inside
  core::Communicator ranks;   ///< that compute the run together
  int ranks_here = 1;         ///< of these, on this host
  core::Device device;        ///< of this rank
  std::string device_reason;  ///< why `auto` took it
  std::shared_ptr<const dg::Discretization> discretization;  ///< whole, or this rank's part
  dg::Problem problem;                                       ///< on that
  bool is_part = false;                                      ///< is it a part? (apps/simulation/mesh_slices.hpp)
  WholeMesh whole;
  std::vector<dg::PointLocation> probes;
  std::vector<dg::maxwell::Port> ports;              ///< [entry of `ports`]
  std::vector<dg::maxwell::LumpedElement> elements;  ///< [entry of `elements`]
  std::optional<dg::maxwell::PmlLayer> pml;          ///< if there is one
  std::vector<dg::ElementFace> far_field_faces;      ///< of outputs.far_field
  std::optional<dg::maxwell::HomogeneousMedium>
      wave_medium{};                   ///< of the plane wave of outputs.probe_spectra.shielding
  config::SurfaceFaces surface_faces;  ///< of outputs.surface_fields
  dg::FileScaling file_scaling;
  const dg::RungeKutta* method{};
  double largest_dt{};  ///< inside: the largest stable step times cfl
  double dt{};          ///< inside; `steps` of them end exactly on the end time
  long steps{};         ///< the last one's number
  dg::Moment origin{};  ///< inside: what steps are counted from; not zero where a resumed run has another dt
  long first_step{};    ///< to begin with; not zero where a run is resumed
  std::optional<EndRule> end_rule;                      ///< of a run with time.until
  std::optional<dg::Partition> partition;               ///< of several ranks
  std::vector<dg::PartLoad> loads;                      ///< [rank] of these
  std::size_t device_bytes{};                           ///< forecast, of this rank
  std::vector<std::pair<std::string, double>> seconds;  ///< what each part of the preparation took

  /// Those that have parts of the mesh: this one alone where it has the whole.
  [[nodiscard]] core::Communicator ranks_with_parts() const { return is_part ? ranks : core::Communicator(); }
  [[nodiscard]] double time(long step) const { return origin.time + static_cast<double>(step - origin.step) * dt; }
  /// Is this digest, which a run has left, of this mesh? Earlier versions of this program left dg::digest.
  [[nodiscard]] bool is_of_mesh(const std::string& digest) const;
  /// When the run ends, at the latest, inside.
  [[nodiscard]] double end() const { return config.end_time() * scaling.time; }
  [[nodiscard]] bool wants_powers() const { return config.outputs.energy && config.outputs.energy->balance; }
  [[nodiscard]] dg::StagesOfProblem stages() const {
    return {.N = discretization->N(),
            .precision = config.solver.precision,
            .powers = wants_powers(),
            .has_curved = whole.curved > 0};
  }
  /// What a rank sends to others at each stage.
  [[nodiscard]] std::size_t bytes_sent_per_stage(const dg::PartLoad& load) const {
    const auto a_trace = static_cast<std::size_t>(problem.system.field_count() * discretization->Nfp());
    return load.traces_sent * a_trace * size_of(config.solver.precision);
  }
  [[nodiscard]] double dofs() const {
    return static_cast<double>(whole.elements) * discretization->Np() * problem.system.field_count();
  }
};

/// As many equal steps as it takes for none to be longer than `largest`; a thousandth of a step over is no reason for
/// one more. At least one.
[[nodiscard]] long steps_for(double duration, double largest);

/// Opens the device: of several ranks of a host each takes one of its GPUs, and all share its CPU. Throws ConfigError,
/// MeshError, and DeviceError for a device that is absent or whose free memory is too little. `known`: the whole
/// discretization of another plan, whose config has the same mesh, order and PML; then no mesh is read.
[[nodiscard]] Plan make_plan(config::Config config, const core::Communicator& ranks = {}, MeshIs mesh = MeshIs::whole,
                             std::shared_ptr<const dg::Discretization> known = nullptr);

// What plans of a whole mesh and of a part have in common; each is a part of make_plan.
void choose_method(Plan& plan);
/// Of several ranks with parts, the least of their stable steps. Collective.
void choose_step(Plan& plan);
/// All of `whole`. Collective.
void describe_whole(Plan& plan);
/// Forecasts what this rank takes on its device, of a discretization and a problem on it with so many faces of the far
/// field. Throws DeviceError where that is more than is free.
void forecast_memory(Plan& plan, const dg::Discretization& discretization, const dg::Problem& problem,
                     std::size_t far_field_faces);

/// What is free on the device for this rank: of a CPU, which serves all ranks of a host, its share.
[[nodiscard]] std::size_t free_bytes(const Plan& plan);

/// What computes the run, on the compiler's device.
[[nodiscard]] dg::Operator make_operator(const Plan& plan, const rtcg::Compiler& compiler, const dg::Schedule& schedule,
                                         const dg::CurvedVariant& curved = {});

}  // namespace maxwell_dg::simulation
