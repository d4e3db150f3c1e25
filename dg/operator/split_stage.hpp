#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dg/codegen/nodes/split_generator.hpp"
#include "dg/operator/range_progress.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// A stage in three kernels, volume, surface and update, with the right-hand side in memory between them.
class SplitStage : public StageKernels {
 public:
  explicit SplitStage(const StageSetting& setting);
  [[nodiscard]] rtcg::KernelSource source() const override { return generator_.stage(); }
  void use(const core::Module& module) override;
  [[nodiscard]] Launch largest() const override { return {"surface", surface_shape({.end = setting_.layout.K})}; }
  /// Volume: q, rhs. Surface: q, rhs in and out. Update: rhs, q and res in and out.
  [[nodiscard]] int states_moved() const override { return 10; }
  [[nodiscard]] std::unique_ptr<StageKernels> with(const Schedule& schedule) const override {
    return std::unique_ptr<StageKernels>(new SplitStage(setting_.with(schedule), present_arrays()));
  }
  void advance_range(std::size_t range, double a, double b, double dt, double t) override;
  void pass() override { progress_.advance_all(); }
  [[nodiscard]] std::vector<std::string> operations() const override { return {"volume", "surface", "update"}; }
  void run(const std::string& operation, double a, double b, double dt, double t) override;
  [[nodiscard]] core::Buffer evaluate(double t) override;
  [[nodiscard]] core::Buffer place() const override { return copy(progress_.copy()); }
  [[nodiscard]] ElementConstants constants() const override { return {arrays_.constants, {}}; }
  void reset() override { setting_.stream.fill_zero(arrays_.RES); }

  /// Bytes of everything but the state, for K elements.
  [[nodiscard]] static std::size_t forecast_bytes(const Schedule& schedule, const StateLayout& layout,
                                                  const LoweredSystem& lowered, int N, Dtype precision,
                                                  std::size_t boundary_faces);

 private:
  /// What depends on the layout alone.
  struct Arrays {
    /// Two copies of the state, which stages take in turn, where there are ranges of elements; else the same one twice,
    /// which is updated in place.
    std::array<core::Buffer, 2> Q;
    core::Buffer RES, RHS;
    core::Buffer metric, faces, constants, neighbours, Fmask, boundary_kind, boundary_nodes, D, LIFT;
  };
  [[nodiscard]] static Arrays upload_arrays(const StageSetting& setting);
  SplitStage(StageSetting setting, Arrays arrays);
  /// As they are now, for another stage that begins with the first copy.
  [[nodiscard]] Arrays present_arrays() const;
  [[nodiscard]] const core::Buffer& copy(int number) const { return arrays_.Q.at(index(number)); }
  [[nodiscard]] core::LaunchShape over_elements(const ElementRange& range, const Schedule::Nodes::Slices& slices,
                                                int items, std::size_t bytes) const;
  [[nodiscard]] core::LaunchShape volume_shape(const ElementRange& range) const;
  [[nodiscard]] core::LaunchShape surface_shape(const ElementRange& range) const;
  void volume(std::size_t range) const;
  void surface(std::size_t range, double t) const;
  void update(std::size_t range, double a, double b, double dt) const;
  /// Into RHS; a, b and dt are for what is added to the stage.
  void right_hand_side(std::size_t range, double a, double b, double dt, double t);

  StageSetting setting_;
  SplitGenerator generator_;
  Arrays arrays_;
  core::Buffer connected_;  ///< neighbours, or their nodes
  core::Kernel volume_, surface_, update_;
  RangeProgress progress_;
};

}  // namespace maxwell_dg::dg
