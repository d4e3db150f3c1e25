#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/maxwell/port.hpp"
#include "dg/observe/decay_levels.hpp"

namespace maxwell_dg::dg {

/// Records how far the outgoing wave of each port has decayed by the end of each turn, from the fields on the ports
/// every few steps; of complex fields their magnitude.
class PortLevels final : public DecayLevels {
 public:
  struct Options {
    std::vector<maxwell::Port> ports;
    DecayLevels::Options levels{};
  };

  /// For Maxwell's equations. The operator must outlive the observer.
  PortLevels(const Operator& op, const Options& options);

 private:
  void take(double time, std::span<const double> record) override;  // [port][part][point][field]

  std::size_t parts_;                         ///< of the fields: 2 where they are complex
  std::vector<std::vector<double>> weights_;  ///< [port][point x field] give the amplitude from a record of one part
};

}  // namespace maxwell_dg::dg
