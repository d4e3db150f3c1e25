#pragma once

#include <memory>
#include <vector>

#include "core/device/device_messages.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/operator/exchange/halo_traces.hpp"
#include "dg/operator/exchange/trace_transport.hpp"

namespace maxwell_dg::dg {

/// Traces are packed by a kernel, sent and received by NCCL in the order of the stream, and put into the ghosts by
/// another kernel. No host waits.
class NcclTransport : public TraceTransport {
 public:
  /// The traces must outlive it. Throws DeviceError, on all ranks, where there is no NCCL or it fails. Collective.
  NcclTransport(const HaloTraces& traces, const core::Communicator& communicator);
  ~NcclTransport() override;
  void begin(const core::Buffer& state) override;
  void finish(const core::Buffer& state) override;

 private:
  struct Memory {
    core::Buffer device;
    std::vector<core::DeviceMessages::Piece> pieces;  ///< [link]
  };
  [[nodiscard]] Memory allocate(const HaloTraces::Side& side) const;

  const HaloTraces& traces_;
  std::unique_ptr<core::DeviceMessages> messages_;
  Memory sent_, received_;
};

}  // namespace maxwell_dg::dg
