#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/mesh/mesh.hpp"
#include "dg/observe/decay_record.hpp"
#include "dg/observe/recorded_steps.hpp"

namespace maxwell_dg::dg {

/// Records how far the fields at points have decayed by the end of each turn of a run: at each probe the root of the
/// sum of the squares of all fields, every few steps.
class ProbeLevels final : public RecordedSteps {
 public:
  static constexpr std::size_t batch = 8;  ///< records that are copied to the host at a time
  struct Options {
    std::vector<PointLocation> points;  ///< [probe][part of the fields], one part or two
    std::size_t parts = 1;
    double end{};              ///< the time at the end of the run
    std::size_t turns = 1;     ///< how many ports are driven, one after the other
    double window{};           ///< see DecayRecord
    long every = 20;           ///< steps; should be several times per period
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive the observer.
  ProbeLevels(const Operator& op, const Options& options);

  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// [probe]
  [[nodiscard]] const std::vector<DecayRecord>& levels() const { return levels_; }

 private:
  void take(double time, std::span<const double> record) override;  // [probe][part][field]

  std::size_t numbers_;  ///< of a probe in a record
  std::vector<DecayRecord> levels_;
};

}  // namespace maxwell_dg::dg
