#pragma once

#include <cstddef>

#include "dg/operator/kernel_generator.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// A stage in three kernels, volume, surface and update, with the right-hand side in memory between them.
class SplitStage : public StageKernels {
 public:
  explicit SplitStage(const StageSetting& setting);
  void advance(double a, double b, double dt, double t) override;
  [[nodiscard]] core::Buffer evaluate(double t) override;
  [[nodiscard]] core::Buffer state() const override { return Q_; }
  [[nodiscard]] ElementConstants constants() const override { return {constants_, {}}; }
  void reset() override { setting_.stream.fill_zero(RES_); }

  /// Bytes of everything but the state, for K elements.
  [[nodiscard]] static std::size_t forecast_bytes(const StateLayout& layout, const LoweredSystem& lowered, int N,
                                                  Dtype precision, std::size_t boundary_faces);

 private:
  /// [block][component][lane] from value_of(k, c); zero in elements that pad the last block.
  template <class ValueOf>
  [[nodiscard]] core::Buffer upload_elements(int components, const ValueOf& value_of) const;
  [[nodiscard]] core::Buffer upload_constants() const;
  void upload_operators();

  StageSetting setting_;
  KernelGenerator generator_;
  core::Buffer Q_, RES_, RHS_;
  core::Buffer metric_, faces_, constants_, neighbours_, Fmask_, boundary_kind_, boundary_nodes_, D_, LIFT_;
  core::Kernel volume_, surface_, update_;
};

}  // namespace maxwell_dg::dg
