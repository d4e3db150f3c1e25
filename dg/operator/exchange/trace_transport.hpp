#pragma once

#include "core/device/buffer.hpp"

namespace maxwell_dg::dg {

/// What brings the traces at a partition's edge to the ghosts of other ranks, in one way. Ranks that are linked call
/// its functions equally often.
class TraceTransport {
 public:
  TraceTransport() = default;
  virtual ~TraceTransport() = default;
  TraceTransport(const TraceTransport&) = delete;
  TraceTransport& operator=(const TraceTransport&) = delete;

  /// Begins to send the traces of a state, whose elements at partition edges are there once the stream gets here.
  virtual void begin(const core::Buffer& state) = 0;
  /// Puts the traces that others sent into the ghosts of the same state.
  virtual void finish(const core::Buffer& state) = 0;
};

}  // namespace maxwell_dg::dg
