#pragma once

#include <cstddef>

#include "dg/operator/stage_generator.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// A stage in one kernel, from one copy of the state into another (Schedule::Slicing::element_tiles).
class FusedStage : public StageKernels {
 public:
  explicit FusedStage(const StageSetting& setting);
  void advance(double a, double b, double dt, double t) override;
  [[nodiscard]] core::Buffer evaluate(double t) override;
  [[nodiscard]] core::Buffer state() const override { return Q_; }
  [[nodiscard]] ElementConstants constants() const override { return {constants_, material_}; }
  void reset() override { setting_.stream.fill_zero(RES_); }

  /// Bytes of everything but the state, for K elements of some materials.
  [[nodiscard]] static std::size_t forecast_bytes(const StageGenerator& generator, const LoweredSystem& lowered, int N,
                                                  Dtype precision, std::size_t K, std::size_t boundary_faces,
                                                  std::size_t materials);

 private:
  StageSetting setting_;
  StageGenerator generator_;
  core::Buffer Q_, Q_new_, RES_;
  core::Buffer metric_, neighbours_, material_, constants_, D_, LIFT_, Fmask_, boundary_kind_, boundary_nodes_;
  core::Kernel stage_;
};

}  // namespace maxwell_dg::dg
