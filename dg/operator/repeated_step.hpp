#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/device/recording.hpp"
#include "core/device/stream.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// Steps that are launched stage by stage, and from the second of a kind on replayed from a recording where that gives
/// the same: where the backend can record and nothing in a stage but its coefficients depends on time.
class RepeatedStep {
 public:
  /// `stages` outlives it.
  RepeatedStep(StageKernels& stages, core::Stream stream, bool depends_on_time);
  void run(const Operator::Stages& coefficients, double dt, double t);

 private:
  /// A step that begins with the state in one place. The first is launched, for its kernels to be loaded; the second is
  /// recorded.
  struct Entry {
    std::uintptr_t place{};
    std::optional<core::Recording> recording{};
  };
  void launch(const Operator::Stages& coefficients, double dt, double t);
  /// Forgets recordings of another method or dt.
  void keep_only(const Operator::Stages& coefficients, double dt);

  StageKernels& stages_;
  core::Stream stream_;
  bool depends_on_time_;
  std::vector<double> numbers_;  ///< a, b and dt of what is recorded
  std::vector<Entry> entries_;
};

}  // namespace maxwell_dg::dg
