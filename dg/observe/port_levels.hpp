#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/maxwell/port.hpp"
#include "dg/observe/decay_record.hpp"
#include "dg/observe/recorded_steps.hpp"

namespace maxwell_dg::dg {

/// Records how far the outgoing wave of each port has decayed by the end of each turn, from the fields on the ports
/// every few steps; of complex fields their magnitude.
class PortLevels final : public RecordedSteps {
 public:
  static constexpr std::size_t batch = 8;  ///< records that are copied to the host at a time
  struct Options {
    std::vector<maxwell::Port> ports;
    double end{};              ///< the time at the end of the run
    std::size_t turns = 1;     ///< how many ports are driven, one after the other
    double window{};           ///< see DecayRecord; a period, for example
    long every = 20;           ///< steps; should be several times per period
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// For Maxwell's equations. The operator must outlive the observer.
  PortLevels(const Operator& op, const Options& options);

  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// [port] the decay of the amplitude of the outgoing wave.
  [[nodiscard]] const std::vector<DecayRecord>& levels() const { return levels_; }

 private:
  void take(double time, std::span<const double> record) override;  // [port][part][point][field]

  std::size_t parts_;                         ///< of the fields: 2 where they are complex
  std::vector<std::vector<double>> weights_;  ///< [port][point x field] give the amplitude from a record of one part
  std::vector<DecayRecord> levels_;
};

}  // namespace maxwell_dg::dg
