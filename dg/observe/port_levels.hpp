#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/maxwell/port.hpp"
#include "dg/observe/decay_record.hpp"
#include "dg/observe/recorded_steps.hpp"

namespace maxwell_dg::dg {

/// How far the wave that goes out of each port has died away by the end of each turn, from the fields on the ports
/// every few steps.
class PortLevels final : public RecordedSteps {
 public:
  static constexpr std::size_t batch = 8;  ///< records that the device sends at a time
  struct Options {
    std::vector<maxwell::Port> ports;
    double end{};              ///< of the run
    std::size_t turns = 1;     ///< ports that are driven one after the other
    double window{};           ///< a period, say: see DecayRecord
    long every = 20;           ///< steps; a few times in a period
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// For Maxwell's equations. The operator must outlive the observer.
  PortLevels(const Operator& op, const Options& options);

  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// [port] of the amplitude of the wave going out.
  [[nodiscard]] const std::vector<DecayRecord>& levels() const { return levels_; }

 private:
  void take(double time, std::span<const double> record) override;  // [point][field]

  std::vector<std::vector<double>> weights_;  ///< [port][point and field]
  std::vector<DecayRecord> levels_;
};

}  // namespace maxwell_dg::dg
