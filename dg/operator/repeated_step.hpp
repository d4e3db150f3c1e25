#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/device/recording.hpp"
#include "core/device/stream.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// Runs time steps: launches them stage by stage, or replays them from a recording if the backend can record, nothing
/// in a stage depends on time except its coefficients, and there is no exchange with other ranks: in a
/// recorded step the elements that neighbours wait for are computed after the interior (H200, CUDA 13), not beside it.
class RepeatedStep {
 public:
  /// `stages` must outlive this object.
  RepeatedStep(StageKernels& stages, core::Stream stream, bool depends_on_time);
  /// What a stage reads has been replaced: it is recorded anew.
  void forget() { entries_.clear(); }
  void run(const Operator::Stages& coefficients, double dt, double t);

 private:
  /// A step that begins with the state in one buffer. The first time it is launched, so that its kernels are loaded;
  /// the second time it is recorded.
  struct Entry {
    std::uintptr_t state{};  ///< the address of that buffer
    std::optional<core::Recording> recording{};
  };
  void launch(const Operator::Stages& coefficients, double dt, double t);
  /// Discards recordings of other coefficients or another dt.
  void keep_only(const Operator::Stages& coefficients, double dt);

  StageKernels& stages_;
  core::Stream stream_;
  bool depends_on_time_;
  std::vector<double> numbers_;  ///< a, b and dt of what is recorded
  std::vector<Entry> entries_;
};

}  // namespace maxwell_dg::dg
