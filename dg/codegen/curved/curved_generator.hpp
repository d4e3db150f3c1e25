#pragma once

#include <cstddef>
#include <vector>

#include "dg/codegen/kernel_generator.hpp"
#include "dg/lowering/curved_system.hpp"
#include "dg/reference/element_quadrature.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

/// Prints the kernels of curved elements, dg/codegen/curved/*.kernel: a stage, and energies; a group of work-items for
/// each element. They read and write a state with components along x, y and z, in the layout of any schedule whose
/// stage is one kernel.
class CurvedGenerator {
 public:
  /// `lowered` and `system` must outlive it.
  CurvedGenerator(const LoweredSystem& lowered, const CurvedSystem& system, const ElementQuadrature& quadrature,
                  KernelGenerator::Options options);

  /// The kernel `curved_stage`.
  [[nodiscard]] rtcg::KernelSource stage() const;
  /// The kernel `curved_energy`.
  [[nodiscard]] rtcg::KernelSource energy() const;
  /// Shared memory that a group of a stage asks for at its launch, in bytes.
  [[nodiscard]] std::size_t shared_bytes() const;
  static constexpr int group_items = 128;

 private:
  [[nodiscard]] rtcg::Record values() const;
  [[nodiscard]] rtcg::Record printed(const std::vector<symbolic::Expr>& expressions) const;
  [[nodiscard]] std::size_t shared_values() const;

  const LoweredSystem& lowered_;
  const CurvedSystem& system_;
  KernelGenerator generator_;
  int volume_points_, face_points_;
};

}  // namespace maxwell_dg::dg
