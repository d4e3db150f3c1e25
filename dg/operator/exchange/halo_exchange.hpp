#pragma once

#include <memory>
#include <optional>

#include "core/mpi/communicator.hpp"
#include "dg/operator/exchange/halo_traces.hpp"
#include "dg/operator/exchange/trace_transport.hpp"
#include "dg/operator/exchange/transport.hpp"

namespace maxwell_dg::dg {

/// Brings the traces of other ranks' elements to the ghosts of a discretization that is a part of a mesh (Halo).
/// Kernels of a stage then read ghosts like any neighbour.
///
/// Ranks that are linked call its functions equally often.
class HaloExchange {
 public:
  /// Takes the transport that is wanted, else the fastest one, which is measured in some milliseconds; NCCL is tried
  /// only where there is no peer memory. The setting must outlive it.
  /// `module`: the compiled KernelGenerator::exchange(); `state`: one that may be written to. Throws DeviceError where
  /// the transport that is wanted cannot be had. Collective.
  HaloExchange(const StageSetting& setting, const core::Module& module, const core::Communicator& communicator,
               std::optional<Transport> wanted, const core::Buffer& state);

  /// Begins to send the traces of a state, whose elements at partition edges are there once the stream gets here.
  void begin(const core::Buffer& state) { used_->begin(state); }
  /// Puts the traces that others sent into the ghosts of the same state. The device goes on with what the stream was
  /// given since `begin`.
  void finish(const core::Buffer& state) { used_->finish(state); }

  [[nodiscard]] Transport transport() const { return transport_; }

 private:
  HaloTraces traces_;
  Transport transport_{};
  std::unique_ptr<TraceTransport> used_;
};

}  // namespace maxwell_dg::dg
