#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/device/host_buffer.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/operator/exchange/halo_traces.hpp"
#include "dg/operator/exchange/trace_transport.hpp"

namespace maxwell_dg::dg {

/// A kernel writes traces into the memory of other ranks' GPUs and raises a flag there; another one waits for the flags
/// of all neighbours and puts what has arrived into the ghosts. No host waits.
///
/// What is received has two places that exchanges use in turn. That is enough, as ranks that are linked send to each
/// other: a rank writes into a place for the second time only after it has received what its neighbour sent in the
/// exchange between, and the neighbour sent that after it had read the place.
class PeerTransport : public TraceTransport {
 public:
  /// What could be made, or why not; the same on all ranks of the communicator. Collective.
  struct Made {
    std::unique_ptr<PeerTransport> transport;
    std::string absence;
  };
  /// The traces must outlive it. `module`: the compiled KernelGenerator::exchange().
  [[nodiscard]] static Made make(const HaloTraces& traces, const core::Module& module,
                                 const core::Communicator& communicator);
  ~PeerTransport() override;
  void begin(const core::Buffer& state) override;
  void finish(const core::Buffer& state) override;

 private:
  PeerTransport(const HaloTraces& traces, const core::Module& module, core::Communicator communicator);
  /// Opens the memory of all neighbours. Throws DeviceError where it is out of reach.
  void open_neighbours();
  [[nodiscard]] std::size_t groups(const HaloTraces::Side& side) const;

  const HaloTraces& traces_;
  core::Communicator communicator_;
  std::size_t places_;       ///< where those of what is received begin in the memory, in bytes
  std::size_t place_bytes_;  ///< of each of the two
  /// Own memory that neighbours write: their flags, then the two places of what is received.
  core::Buffer memory_;
  std::vector<core::Buffer> opened_;  ///< [link] such memory of the neighbour
  core::Buffer addresses_;            ///< [exchange mod 2][face that is sent] of its traces at the neighbour
  core::Buffer flags_;                ///< [link] the address of the own flag at the neighbour
  core::Buffer counters_;             ///< of exchanges and of groups of work-items, see exchange.kernel
  core::HostBuffer abandoned_;        ///< not 0: kernels wait no more
  core::Kernel push_, receive_;
  int exceptions_;  ///< that were on their way when it was made
};

}  // namespace maxwell_dg::dg
