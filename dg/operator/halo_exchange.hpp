#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/device/host_buffer.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/mesh/halo.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// Brings the traces of other ranks' elements to the ghosts of a discretization that is a part of a mesh (Halo).
/// Kernels of a stage then read ghosts like any neighbour. Traces are packed by a kernel, sent by MPI from page-locked
/// memory while the device goes on, and put into the ghosts by another kernel.
///
/// Ranks that are linked call its functions equally often.
class HaloExchange {
 public:
  /// The setting must outlive it. `module`: the compiled KernelGenerator::exchange().
  HaloExchange(const StageSetting& setting, const core::Module& module, core::Communicator communicator);
  ~HaloExchange();
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  /// Begins to send the traces of a state, whose elements at partition edges are there once the stream gets here.
  void begin(const core::Buffer& state);
  /// Puts the traces that others sent into the ghosts of the same state. Waits on the host for what comes from others;
  /// the device goes on with what the stream was given since `begin`.
  void finish(const core::Buffer& state);

  /// What is sent in one exchange.
  [[nodiscard]] std::size_t bytes_sent() const { return sent_.bytes; }

 private:
  /// The faces of all links one after the other, and their traces.
  struct Side {
    core::Buffer faces, traces;
    std::array<core::HostBuffer, 2> host;  ///< in turn: one may be on its way to the device, or to another rank, still
    std::size_t count{}, bytes{};
    std::vector<std::size_t> offsets;  ///< [link], and the end: in bytes
  };
  [[nodiscard]] Side make_side(const std::vector<std::vector<std::int32_t>>& faces_of_links) const;
  void launch(const core::Kernel& kernel, const core::Buffer& state, const Side& side) const;
  [[nodiscard]] std::span<std::byte> part(const Side& side, std::size_t link) const;

  const StageSetting& setting_;
  core::Communicator communicator_;
  std::vector<int> ranks_;  ///< [link]
  Side sent_, received_;
  core::Buffer face_nodes_;
  core::Kernel gather_, scatter_;
  core::Event packed_;
  std::vector<core::Message> arriving_, leaving_;
  std::size_t turn_ = 0;
};

}  // namespace maxwell_dg::dg
