#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/mesh/mesh.hpp"
#include "dg/observe/decay_levels.hpp"

namespace maxwell_dg::dg {

/// Records how far the fields at points have decayed by the end of each turn of a run: at each probe the root of the
/// sum of the squares of all fields, every few steps.
class ProbeLevels final : public DecayLevels {
 public:
  struct Options {
    std::vector<PointLocation> points;  ///< [probe][part of the fields], one part or two
    std::size_t parts = 1;
    DecayLevels::Options levels{};
  };

  /// The operator must outlive the observer.
  ProbeLevels(const Operator& op, const Options& options);

 private:
  void take(double time, std::span<const double> record) override;  // [probe][part][field]

  std::size_t numbers_;  ///< of a probe in a record
};

}  // namespace maxwell_dg::dg
