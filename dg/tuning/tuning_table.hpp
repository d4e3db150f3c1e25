#pragma once

#include <string>
#include <vector>

#include "dg/tuning/stage_tuner.hpp"

namespace maxwell_dg::dg {

/// What came of a variant: its speed, or why it was rejected.
struct VariantReport {
  std::string variant;
  double seconds{};  ///< of a stage; 0 when rejected
  double gdof_per_second{};
  double sustained_gdof_per_second{};  ///< of a finalist, when it had run for a while; else 0
  double roofline_fraction{};          ///< 0 where the device's ceilings are not known
  int registers{};                     ///< of a work-item; 0 where the backend does not say
  std::string rejection{};
};

/// The finalists by what they sustain, the one that was chosen first; then others, fastest first; then the rejected
/// ones.
[[nodiscard]] std::vector<VariantReport> variant_reports(const StageTuner& tuner, const rtcg::TuningResult& result);

/// The same as text, a line each, with a header.
[[nodiscard]] std::string variant_table(const std::vector<VariantReport>& reports);

}  // namespace maxwell_dg::dg
