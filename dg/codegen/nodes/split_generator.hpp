#pragma once

#include <cstddef>

#include "dg/codegen/kernel_generator.hpp"
#include "dg/codegen/nodes/matrix_source.hpp"
#include "dg/codegen/nodes/node_sizes.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// Prints stage_nodes.kernel: a stage in three kernels, `volume`, `surface` and `update`, whose work-items compute
/// nodes (Schedule::Nodes).
class SplitGenerator {
 public:
  /// Throws std::invalid_argument for a schedule of another slicing, or one whose groups are too large or whose tables
  /// do not fit in constant memory.
  SplitGenerator(const LoweredSystem& lowered, KernelGenerator::Options options);

  [[nodiscard]] rtcg::KernelSource stage() const;

  /// Work-items of a group, and its dynamic shared memory in bytes.
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
  /// Values of the template.
  [[nodiscard]] rtcg::Record values_of_slices(const Schedule::Nodes::Slices& slices, const GroupDemand& group) const;
  [[nodiscard]] rtcg::Record volume() const;
  [[nodiscard]] rtcg::Record surface() const;

  const LoweredSystem& lowered_;
  KernelGenerator kernels_;
  int Np_, Nfp_, fields_;
  NodeSizes sizes_;
};

}  // namespace maxwell_dg::dg
