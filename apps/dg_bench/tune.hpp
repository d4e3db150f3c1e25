#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/dg_bench/bench.hpp"
#include "dg/tuning/tuning_table.hpp"

namespace maxwell_dg::bench {

struct TuningJob {
  std::vector<dg::System> systems;
  std::vector<Dtype> precisions;
  std::vector<int> orders;
  double seconds{};                   ///< for all of it; what one question leaves, the next ones have
  std::filesystem::path wisdom;       ///< where answers are kept; empty: the user's
  std::vector<std::string> variants;  ///< only these, where there are any
};

/// What tuning gained for one question: the best, the median and the slowest of all that work, and what one who tunes
/// by hand at one order would have everywhere.
struct TuningGain {
  std::string system;
  int order{};
  Dtype precision{};
  std::size_t elements{};
  double seconds{};                           ///< that tuning took
  std::vector<dg::VariantReport> candidates;  ///< the fastest first, then the rejected ones
  std::string by_hand;                        ///< the fastest variant of order 4, or of the first that was tuned

  [[nodiscard]] std::size_t working() const;
  [[nodiscard]] const dg::VariantReport& best() const { return candidates.front(); }
  [[nodiscard]] const dg::VariantReport& median() const { return candidates[(working() - 1) / 2]; }
  [[nodiscard]] const dg::VariantReport& worst() const { return candidates[working() - 1]; }
  /// Nothing where that variant does not work at this order.
  [[nodiscard]] std::optional<dg::VariantReport> fixed() const;
};

/// Tunes every question anew, order 4 before the others, and prints a line of each. Throws DeviceError where nothing
/// works, ConfigError for a variant that is none.
[[nodiscard]] std::vector<TuningGain> tune(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, Boxes& boxes,
                                           const TuningJob& job);

}  // namespace maxwell_dg::bench
