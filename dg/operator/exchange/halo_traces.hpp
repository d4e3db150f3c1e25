#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "dg/mesh/halo.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// The traces of a part's Halo on a device: the faces whose traces are sent and received, and the kernels that move
/// them between a state and a buffer [face][field][node of the face].
class HaloTraces {
 public:
  /// The setting must outlive it. `module`: the compiled KernelGenerator::exchange(). Throws std::invalid_argument
  /// where 32 bits do not number the values of an exchange.
  HaloTraces(const StageSetting& setting, const core::Module& module);

  /// The faces of all links one after the other.
  struct Side {
    core::Buffer faces;
    std::size_t count{}, bytes{};      ///< faces; bytes of their traces
    std::vector<std::size_t> offsets;  ///< [link], and the end: in bytes
    [[nodiscard]] std::size_t bytes_of(std::size_t link) const { return offsets[link + 1] - offsets[link]; }
  };
  [[nodiscard]] const std::vector<int>& ranks() const { return ranks_; }  ///< [link]
  [[nodiscard]] const Side& sent() const { return sent_; }
  [[nodiscard]] const Side& received() const { return received_; }
  [[nodiscard]] const StageSetting& setting() const { return setting_; }
  [[nodiscard]] const core::Buffer& face_nodes() const { return face_nodes_; }
  [[nodiscard]] std::size_t bytes_of_face() const;

  /// The groups of a kernel with a work-item for each value of the traces of a side; at least one.
  [[nodiscard]] std::size_t groups(const Side& side) const;

  /// Copies what is sent from a state to `traces`, or what was received from `traces` to a state.
  void gather(const core::Buffer& state, const core::Buffer& traces) const { launch(gather_, state, traces, sent_); }
  void scatter(const core::Buffer& state, const core::Buffer& traces) const {
    launch(scatter_, state, traces, received_);
  }
  /// For destructors of what sends them: waits for the stream, then does the work. What fails is a warning.
  void end_exchange(const std::function<void()>& work) const noexcept;

 private:
  [[nodiscard]] Side make_side(const std::vector<std::vector<std::int32_t>>& faces_of_links) const;
  void launch(const core::Kernel& kernel, const core::Buffer& state, const core::Buffer& traces,
              const Side& side) const;

  const StageSetting& setting_;
  std::vector<int> ranks_;
  Side sent_, received_;
  core::Buffer face_nodes_;
  core::Kernel gather_, scatter_;
};

}  // namespace maxwell_dg::dg
