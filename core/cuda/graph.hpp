#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/device/device.hpp"

/// Work recorded once and replayed with one call, which costs the host less than its launches one by one.
namespace maxwell_dg::core::cuda {

/// What was recorded. Kernels, buffers and host memory in it must outlive the graphs made from it.
class Graph {
 public:
  /// Records what `work` enqueues on `stream`, and on streams that it makes wait for it and back, instead of running
  /// it. `work` must not wait for the device. What it throws is passed on, and the stream can be used again.
  [[nodiscard]] static Graph capture(const Stream& stream, const std::function<void()>& work);
  [[nodiscard]] std::size_t nodes() const;  ///< launches, copies and fills

 private:
  friend class ExecutableGraph;
  struct State;
  std::shared_ptr<State> state_;
};

/// A graph that can be replayed.
class ExecutableGraph {
 public:
  explicit ExecutableGraph(const Graph& graph);
  /// Takes over the arguments and shapes of another recording of the same work. Throws DeviceError when the recordings
  /// do not have the same structure.
  void update(const Graph& graph);
  void launch(const Stream& stream) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace maxwell_dg::core::cuda
