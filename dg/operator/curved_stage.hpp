#pragma once

#include <cstddef>

#include "dg/codegen/curved/curved_generator.hpp"
#include "dg/lowering/curved_system.hpp"
#include "dg/mesh/element_ranges.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// A stage of ranges of curved elements: in place of the schedule's kernel, on the same arrays.
class CurvedStage {
 public:
  /// The arrays of the schedule's own stage that it reads, too.
  struct Arrays {
    core::Buffer neighbours, material, constants, boundary_kind;
  };
  /// The setting has a discretization with curved elements, and a schedule whose stage is one kernel with components
  /// along x, y and z. Compiles its kernel. Throws ConfigError as CurvedSystem::of does.
  CurvedStage(StageSetting setting, Arrays arrays);

  /// [curved element][gradient][node]
  [[nodiscard]] const core::Buffer& metric_at_nodes() const { return metric_at_nodes_; }

  /// Its device memory, in bytes.
  [[nodiscard]] static std::size_t forecast_bytes(const CurvedSystem& system, const ElementQuadrature& quadrature,
                                                  const ReferenceElement& reference, Dtype precision,
                                                  std::size_t elements, std::size_t boundary_faces);

  /// RES = a RES + dt rhs(Q, t); Q_new = Q + b RES in a range. Asynchronous.
  void advance(const StageTarget& target, const ElementRange& range) const;

 private:
  StageSetting setting_;
  Arrays arrays_;
  core::Kernel kernel_;
  std::size_t dynamic_shared_bytes_{};
  core::Buffer metric_at_nodes_, point_invariants_, face_invariants_, boundary_rows_, boundary_metric_,
      boundary_points_;
  core::Buffer D_, at_volume_, from_volume_, at_face_, lift_, Fmask_;
};

}  // namespace maxwell_dg::dg
