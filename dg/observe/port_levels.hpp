#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "dg/maxwell/port.hpp"
#include "dg/observe/decay_record.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// How far the wave that goes out of each port has died away by the end of each turn. The device notes the fields on
/// the ports every few steps and goes on.
class PortLevels final : public Observer {
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
  PortLevels(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// [port] of the amplitude of the wave going out.
  [[nodiscard]] const std::vector<DecayRecord>& levels() const { return levels_; }

 private:
  void note(const Moment& now);
  void take(std::span<const double> records);  // [record][point][field]

  Options options_;
  std::vector<std::vector<double>> weights_;  ///< [port][point and field]
  std::vector<DecayRecord> levels_;
  std::unique_ptr<Recorder> recorder_;
  std::size_t width_ = 0;     ///< of a record
  std::deque<double> times_;  ///< of what was recorded and not yet taken
  long noted_step_ = -1;
};

}  // namespace maxwell_dg::dg
