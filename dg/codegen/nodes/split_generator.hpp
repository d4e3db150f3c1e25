#pragma once

#include <cstddef>

#include "dg/codegen/kernel_generator.hpp"
#include "dg/codegen/nodes/matrix_source.hpp"
#include "dg/codegen/nodes/node_sizes.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// Prints stage_nodes.kernel, a stage in three kernels, `volume`, `surface` and `update`: an item has a node
/// (Schedule::Nodes).
class SplitGenerator {
 public:
  /// Throws std::invalid_argument on a schedule of a stage in one kernel, and on one whose groups are too large or
  /// whose tables do not fit in constant memory.
  SplitGenerator(const LoweredSystem& lowered, KernelGenerator::Options options);

  [[nodiscard]] rtcg::KernelSource stage() const;

  /// Work-items of a group, and the shared memory that it asks for at its launch.
  [[nodiscard]] int volume_items() const { return sizes_.volume.items; }
  [[nodiscard]] std::size_t volume_bytes() const { return sizes_.volume.shared_bytes; }
  [[nodiscard]] int surface_items() const { return sizes_.surface.items; }
  [[nodiscard]] std::size_t surface_bytes() const { return sizes_.surface.shared_bytes; }
  static constexpr int update_items = 256;

 private:
  [[nodiscard]] const Schedule& schedule() const { return kernels_.options().schedule; }
  [[nodiscard]] const Schedule::Nodes& slicing() const { return schedule().as<Schedule::Nodes>(); }
  [[nodiscard]] Dtype precision() const { return kernels_.options().precision; }
  /// Dr, Ds and Dt, [column][axis][row], and LIFT, [column][row].
  [[nodiscard]] MatrixSource derivatives() const;
  [[nodiscard]] MatrixSource lift() const;
  /// What the template is given.
  [[nodiscard]] rtcg::Record values_of_slices(const Schedule::Nodes::Slices& slices, const GroupDemand& group) const;
  [[nodiscard]] rtcg::Record volume() const;
  [[nodiscard]] rtcg::Record surface() const;

  const LoweredSystem& lowered_;
  KernelGenerator kernels_;
  int Np_, Nfp_, fields_;
  NodeSizes sizes_;
};

}  // namespace maxwell_dg::dg
