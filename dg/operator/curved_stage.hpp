#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "dg/codegen/curved/curved_kinds.hpp"
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
  /// The setting has a discretization with curved elements, and a schedule whose stage is one kernel, of the
  /// setting's variant. Throws ConfigError as CurvedSystem::of does, std::invalid_argument for a variant
  /// that does not fit.
  CurvedStage(StageSetting setting, Arrays arrays);
  [[nodiscard]] const rtcg::KernelSource& source() const { return source_; }
  /// Takes the compiled source. Before it advances anything.
  void load(const core::Module& module);
  [[nodiscard]] bool is_loaded() const { return is_loaded_; }
  /// Takes the numbers of the media anew from the setting's, which have changed, and these arrays in place of the old.
  void take_constants(core::Buffer material, core::Buffer constants);

  struct Size {
    std::size_t elements{}, boundary_faces{};  ///< curved ones, and those of these
    const Discretization* discretization = nullptr;
  };
  /// Its device memory, in bytes; without a discretization, what it is at most.
  [[nodiscard]] static std::size_t forecast_bytes(const CurvedGenerator& generator, const Size& size);

  /// RES = a RES + dt rhs(Q, t); Q_new = Q + b RES in a range, from its last element to its first if asked and if its
  /// kind can. Asynchronous, in a stream.
  void advance(const StageTarget& target, const ElementRange& range, bool is_backwards, const core::Stream& on) const;

  /// The metric at nodes in the order of the kernel's kind.
  [[nodiscard]] const core::Buffer& metric_at_nodes() const { return metric_at_nodes_; }

 private:
  [[nodiscard]] std::unique_ptr<CurvedGenerator> make_generator() const;
  void upload_invariants(const CurvedGeometry& geometry, const CurvedGenerator& generator);
  void upload_boundary(const CurvedGeometry& geometry, const CurvedGenerator& generator);

  StageSetting setting_;
  Arrays arrays_;
  rtcg::KernelSource source_;
  core::Kernel kernel_;
  bool is_loaded_ = false;
  core::LaunchShape shape_;  ///< but for the number of groups
  std::size_t elements_per_group_{};
  bool has_directions_{};
  core::Buffer metric_at_nodes_, point_invariants_, face_invariants_, boundary_rows_, boundary_metric_,
      boundary_points_;
  core::Buffer media_;  ///< empty if its numbers are a part of those at points
  std::vector<core::Buffer> matrices_;
  core::Buffer Fmask_;
};

}  // namespace maxwell_dg::dg
