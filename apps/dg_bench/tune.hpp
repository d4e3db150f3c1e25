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
  Materials materials{};
  double seconds{};                   ///< for all of it; what one question leaves, the next ones have
  std::filesystem::path wisdom;       ///< where answers are kept; empty: the user's
  std::vector<std::string> variants;  ///< only these, where there are any
  std::string slicing;                ///< only variants of this one, where it is given
};

/// Makes a folder for wisdom, if there is none. Throws OutputError where no file can be written in it.
void require_folder(const std::filesystem::path& folder);

/// What tuning gained for one question: the best, the median and the slowest of all that work, and what one who tunes
/// by hand at one order would have everywhere.
struct TuningGain {
  std::string system;
  int order{};
  Dtype precision{};
  std::size_t elements{};
  double seconds{};                           ///< that tuning took
  std::vector<dg::VariantReport> candidates;  ///< as variant_reports has them: the one that was chosen first
  std::string operations;         ///< what came of kernels that were tuned by themselves, as a text of some lines
  std::string by_hand;            ///< the variant chosen at order 4, or at the first that was tuned
  std::string best_of_curved{};   ///< the fastest variant of curved elements beside the best one; empty without any
  std::string table_of_curved{};  ///< all of them, as a text of some lines

  [[nodiscard]] std::size_t working() const;
  [[nodiscard]] const dg::VariantReport& best() const { return candidates.front(); }
  [[nodiscard]] dg::VariantReport median() const { return by_speed()[(working() - 1) / 2]; }
  [[nodiscard]] dg::VariantReport worst() const { return by_speed()[working() - 1]; }
  /// Nothing where that variant does not work at this order.
  [[nodiscard]] std::optional<dg::VariantReport> fixed() const;
  /// What part of the best one's speed that loses; of what both sustain, where that is known.
  [[nodiscard]] double loss_of(const dg::VariantReport& fixed) const;

 private:
  /// Those that work, by their speed for a moment, the fastest first.
  [[nodiscard]] std::vector<dg::VariantReport> by_speed() const;
};

/// Tunes every question anew, order 4 before the others, and prints a line of each. Throws DeviceError where nothing
/// works, ConfigError for a variant that is none.
[[nodiscard]] std::vector<TuningGain> tune(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, Boxes& boxes,
                                           const TuningJob& job);

}  // namespace maxwell_dg::bench
