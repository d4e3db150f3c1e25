#pragma once

#include <memory>

#include "core/device/device.hpp"

/// OpenGL buffers that kernels write to, e.g. vertices that are drawn without a way through the host.
namespace maxwell_dg::core::cuda {

class GlBuffer {
 public:
  /// `name` is from glGenBuffers and has its storage (glBufferData). The OpenGL context must be current on this thread
  /// and drawn by the same GPU.
  GlBuffer(const Device& device, unsigned name);

  /// The memory for kernels on `stream`; OpenGL must leave it alone until `unmap`, in the order of a stream.
  [[nodiscard]] Buffer map(const Stream& stream);
  void unmap(const Stream& stream);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace maxwell_dg::core::cuda
