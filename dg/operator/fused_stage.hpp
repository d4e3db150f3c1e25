#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "dg/codegen/fused_generator.hpp"
#include "dg/operator/range_progress.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// A stage in one kernel, from one copy of the state into another (see FusedGenerator).
class FusedStage : public StageKernels {
 public:
  explicit FusedStage(const StageSetting& setting);
  [[nodiscard]] rtcg::KernelSource source() const override { return generator_->stage(); }
  void use(const core::Module& module) override;
  [[nodiscard]] Launch largest() const override { return {"stage", shape({.end = setting_.layout.K})}; }
  [[nodiscard]] int states_moved() const override { return 4; }  // q and res, in and out
  [[nodiscard]] std::unique_ptr<StageKernels> with(const Schedule& schedule) const override {
    return std::unique_ptr<StageKernels>(new FusedStage(setting_.with(schedule), present_arrays()));
  }
  void advance_range(std::size_t range, double a, double b, double dt, double t) override;
  void pass() override;
  [[nodiscard]] core::Buffer evaluate(double t) override;
  [[nodiscard]] core::Buffer place() const override { return copy(progress_.copy()); }
  [[nodiscard]] core::Buffer state() override;
  [[nodiscard]] core::Buffer state_of(const core::Buffer& elements, std::size_t count) override;
  void take_cartesian() override;
  [[nodiscard]] ElementConstants constants() const override { return {arrays_.constants, arrays_.material}; }
  void reset() override {
    setting_.stream.fill_zero(arrays_.RES);
    has_cartesian_ = false;
  }

  /// Bytes of everything but the state, for elements of some materials.
  [[nodiscard]] static std::size_t forecast_bytes(const FusedGenerator& generator, const Schedule& schedule,
                                                  const StateLayout& layout, const LoweredSystem& lowered, int N,
                                                  Dtype precision, std::size_t boundary_faces, std::size_t materials);

 private:
  /// What depends on the layout alone.
  struct Arrays {
    std::array<core::Buffer, 2> Q;  ///< the two copies of the state, which stages take in turn
    core::Buffer RES;
    core::Buffer metric, neighbours, material, constants, boundary_kind, boundary_nodes;
  };
  [[nodiscard]] static Arrays upload_arrays(const StageSetting& setting);
  FusedStage(StageSetting setting, Arrays arrays);
  [[nodiscard]] core::Buffer upload_factors(const std::vector<double>& factors) const;
  /// As they are now, for another stage that begins with the first copy.
  [[nodiscard]] Arrays present_arrays() const;
  [[nodiscard]] const core::Buffer& copy(int number) const { return arrays_.Q.at(index(number)); }
  [[nodiscard]] const core::Buffer& other_copy() const { return copy(1 - progress_.copy()); }
  [[nodiscard]] core::LaunchShape shape(const ElementRange& range) const;
  [[nodiscard]] bool in_basis() const { return setting_.schedule.in_basis_of_element(); }
  /// Some elements; all of them, if there is no list.
  struct Listed {
    core::Buffer elements;
    std::size_t count{};
  };
  [[nodiscard]] Listed all() const { return {{}, setting_.layout.K}; }
  void change(const core::Kernel& basis, const core::Buffer& from, const core::Buffer& to, const Listed& listed) const;

  StageSetting setting_;
  std::unique_ptr<FusedGenerator> generator_;
  Arrays arrays_;
  core::Buffer node_words_, D_, LIFT_;
  core::Buffer outside_nodes_;  ///< none where neighbours are known by their faces
  core::Buffer invariants_;     ///< what the kernel `prepare` makes of metric, neighbours, material and constants
  bool takes_factors_{};        ///< the kernel is given D and LIFT
  core::Kernel stage_, to_cartesian_, from_cartesian_;
  RangeProgress progress_;
  bool has_cartesian_ = false;  ///< the other copy holds the state by its components along x, y and z
};

}  // namespace maxwell_dg::dg
