#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dg/codegen/fused_generator.hpp"
#include "dg/operator/curved_stage.hpp"
#include "dg/operator/stage_kernels.hpp"
#include "dg/operator/state_copies.hpp"

namespace maxwell_dg::dg {

/// A stage as one kernel that reads one copy of the state and writes the other (see FusedGenerator).
class FusedStage : public StageKernels {
 public:
  explicit FusedStage(const StageSetting& setting);
  [[nodiscard]] rtcg::KernelSource source() const override { return generator_->stage(); }
  [[nodiscard]] std::optional<rtcg::KernelSource> curved_source() const override;
  void load_curved(const core::Module& module) override;
  void load(const core::Module& module) override;
  [[nodiscard]] Launch largest_launch() const override { return {"stage", shape({.end = setting_.layout.K})}; }
  [[nodiscard]] int states_moved() const override { return 4; }  // q and res, in and out
  [[nodiscard]] std::unique_ptr<StageKernels> with(const Schedule& schedule) const override {
    return std::unique_ptr<StageKernels>(new FusedStage(setting_.with(schedule), arrays_, copies_.in_order()));
  }
  void advance_range(std::size_t range, double a, double b, double dt, double t) override;
  void count_stage() override;
  [[nodiscard]] core::Buffer evaluate(double t) override;
  [[nodiscard]] core::Buffer stored_state() const override { return copies_.current(); }
  [[nodiscard]] core::Buffer cartesian_state() override;
  [[nodiscard]] core::Buffer cartesian_state_of(const core::Buffer& elements, std::size_t count) override;
  void store_cartesian() override;
  [[nodiscard]] ElementConstants constants() const override { return {arrays_.constants, arrays_.material}; }
  void take_constants() override;
  void reset() override {
    setting_.stream.fill_zero(arrays_.RES);
    has_cartesian_ = false;
  }

  /// Device memory of everything but the state, in bytes.
  [[nodiscard]] static std::size_t forecast_bytes(const FusedGenerator& generator, const Schedule& schedule,
                                                  const StateLayout& layout, const LoweredSystem& lowered, int N,
                                                  Dtype precision, std::size_t boundary_faces, std::size_t materials);

 private:
  [[nodiscard]] bool is_backwards() const override { return is_backwards(0); }
  /// Every other stage goes through the elements from the last to the first: it begins with what the stage before has
  /// left in the caches. The direction follows from the copy, so that a recorded step can be replayed whenever it
  /// starts with the same copy.
  [[nodiscard]] bool is_backwards(std::size_t range) const { return copies_.number(range) == 1; }
  void advance_ranges(std::span<const std::size_t> ranges, double a, double b, double dt, double t) override;
  void begin_beside(std::span<const std::size_t> ranges, double a, double b, double dt, double t, Since since) override;
  void end_beside(std::span<const std::size_t> ranges, double a, double b, double dt, double t) override;
  [[nodiscard]] bool is_curved(std::size_t range) const {
    return setting_.ranges()[range].shape == ElementRange::Shape::curved;
  }
  [[nodiscard]] core::Buffer written_by(std::size_t range) const override { return copies_.written_by(range); }
  void count_stage_of(std::size_t range) override { copies_.advance(range); }
  /// The stage of a range without additions.
  StageTarget launch(std::size_t range, double a, double b, double dt, double t, const core::Stream& on);
  /// The arrays that are the same for all schedules of one layout, besides the state.
  struct Arrays {
    core::Buffer RES;
    core::Buffer metric, neighbours, material, constants, boundary_kind, boundary_nodes;
    std::shared_ptr<CurvedStage> curved;  ///< of ranges of curved elements, if there are any
    core::Buffer curved_number;           ///< CurvedCells::number, where the state is in the basis of the element
  };
  [[nodiscard]] static Arrays upload_arrays(const StageSetting& setting);
  /// Material and constants.
  static void upload_media(const StageSetting& setting, Arrays& arrays);
  /// Computes the invariants from them.
  void prepare() const;
  FusedStage(StageSetting setting, Arrays arrays, StateCopies::Buffers state);
  [[nodiscard]] core::Buffer upload_factors(const std::vector<double>& factors) const;
  [[nodiscard]] core::LaunchShape shape(const ElementRange& range) const;
  [[nodiscard]] bool in_basis() const { return setting_.schedule.in_basis_of_element(); }
  /// A list of elements; all elements if there is no list.
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
  core::Buffer outside_nodes_;  ///< empty if connectivity is by face
  core::Buffer invariants_;     ///< computed by the kernel `prepare` from metric, neighbours, material and constants
  bool takes_factors_{};        ///< whether D and LIFT are arguments of the kernel
  core::Kernel stage_, prepare_, to_cartesian_, from_cartesian_;
  /// Where curved elements are computed while straight ones are: the last groups of neither leave the device idle. None
  /// where there is only one kind, and on CPUs.
  std::optional<core::Stream> beside_;
  /// Where interior elements are computed while those at partition edges are, and their traces are on their way. None
  /// where there are no ghosts, and on CPUs.
  std::optional<core::Stream> interior_;
  core::Event interior_may_begin_;  ///< all but the ghosts of the stage before is there
  std::vector<StageTarget> begun_;  ///< of interior ranges
  StateCopies copies_;
  bool has_cartesian_ = false;  ///< the other copy holds the current state in components along x, y and z
};

}  // namespace maxwell_dg::dg
