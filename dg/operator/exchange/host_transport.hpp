#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/device/host_buffer.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/operator/exchange/halo_traces.hpp"
#include "dg/operator/exchange/trace_transport.hpp"

namespace maxwell_dg::dg {

/// Traces are packed by a kernel, copied to page-locked memory, sent by MPI while the device goes on, copied to the
/// other device and put into the ghosts by another kernel.
class HostTransport : public TraceTransport {
 public:
  /// The traces must outlive it.
  HostTransport(const HaloTraces& traces, core::Communicator communicator);
  ~HostTransport() override;
  void begin(const core::Buffer& state) override;
  void finish(const core::Buffer& state) override;

 private:
  struct Memory {
    core::Buffer device;
    std::array<core::HostBuffer, 2> host;  ///< in turn: one may be on its way to the device, or to another rank, still
  };
  [[nodiscard]] Memory allocate(const HaloTraces::Side& side) const;
  [[nodiscard]] std::span<std::byte> part(const Memory& memory, const HaloTraces::Side& side, std::size_t link) const;

  const HaloTraces& traces_;
  core::Communicator communicator_;
  Memory sent_, received_;
  core::Event packed_;
  std::vector<core::Message> arriving_, leaving_;
  std::size_t turn_ = 0;
};

}  // namespace maxwell_dg::dg
