#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dg/codegen/nodes/split_generator.hpp"
#include "dg/operator/stage_kernels.hpp"
#include "dg/operator/state_copies.hpp"

namespace maxwell_dg::dg {

/// A stage as three kernels, volume, surface and update, that pass the right-hand side through memory.
class SplitStage : public StageKernels {
 public:
  explicit SplitStage(const StageSetting& setting);
  [[nodiscard]] rtcg::KernelSource source() const override { return generator_.stage(); }
  void load(const core::Module& module) override;
  [[nodiscard]] Launch largest_launch() const override {
    return {"surface", surface_shape({.end = setting_.layout.K})};
  }
  /// Volume: q, rhs. Surface: q, rhs in and out. Update: rhs, q and res in and out.
  [[nodiscard]] int states_moved() const override { return 10; }
  [[nodiscard]] std::unique_ptr<StageKernels> with(const Schedule& schedule) const override {
    return std::unique_ptr<StageKernels>(new SplitStage(setting_.with(schedule), arrays_, copies_.in_order()));
  }
  void advance_range(std::size_t range, double a, double b, double dt, double t) override;
  void count_stage() override { copies_.advance_all(); }
  [[nodiscard]] std::vector<std::string> operations() const override { return {"volume", "surface", "update"}; }
  void run(const std::string& operation, double a, double b, double dt, double t) override;
  [[nodiscard]] core::Buffer evaluate(double t) override;
  [[nodiscard]] core::Buffer stored_state() const override { return copies_.current(); }
  [[nodiscard]] ElementConstants constants() const override { return {arrays_.constants, {}}; }
  void take_constants() override;
  void reset() override { setting_.stream.fill_zero(arrays_.RES); }

  /// Device memory of everything but the state, in bytes.
  [[nodiscard]] static std::size_t forecast_bytes(const Schedule& schedule, const StateLayout& layout,
                                                  const LoweredSystem& lowered, int N, Dtype precision,
                                                  std::size_t boundary_faces);

 private:
  [[nodiscard]] core::Buffer written_by(std::size_t range) const override { return copies_.written_by(range); }
  void count_stage_of(std::size_t range) override { copies_.advance(range); }
  /// The arrays that are the same for all schedules of one layout, besides the state.
  struct Arrays {
    core::Buffer RES, RHS;
    core::Buffer metric, faces, constants, neighbours, Fmask, boundary_kind, boundary_nodes, D, LIFT;
  };
  [[nodiscard]] static Arrays upload_arrays(const StageSetting& setting);
  /// With several ranges of elements there are two copies of the state. With one range, both are the same buffer.
  [[nodiscard]] static StateCopies::Buffers allocate_state(const StageSetting& setting);
  SplitStage(StageSetting setting, Arrays arrays, StateCopies::Buffers state);
  [[nodiscard]] core::LaunchShape over_elements(const ElementRange& range, const Schedule::Nodes::Slices& slices,
                                                int items, std::size_t bytes) const;
  [[nodiscard]] core::LaunchShape volume_shape(const ElementRange& range) const;
  [[nodiscard]] core::LaunchShape surface_shape(const ElementRange& range) const;
  void volume(std::size_t range) const;
  void surface(std::size_t range, double t) const;
  void update(std::size_t range, double a, double b, double dt) const;
  /// Computes RHS; a, b and dt are passed on to the stage's additions.
  void right_hand_side(std::size_t range, double a, double b, double dt, double t);

  StageSetting setting_;
  SplitGenerator generator_;
  Arrays arrays_;
  core::Buffer connected_;  ///< neighbouring faces or nodes, by Schedule's connectivity
  core::Kernel volume_, surface_, update_;
  StateCopies copies_;
};

}  // namespace maxwell_dg::dg
