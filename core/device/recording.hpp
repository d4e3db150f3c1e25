#pragma once

#include <functional>
#include <memory>

#include "core/device/stream.hpp"

/// Work recorded once and enqueued again with one call, which costs the host less than its launches one by one.
namespace maxwell_dg::core {

class RecordingState;

class Recording {
 public:
  /// Whether the stream's backend can record: CUDA can (as a graph), OpenCL cannot.
  [[nodiscard]] static bool is_possible(const Stream& stream);
  /// Records what `work` enqueues on `stream`, instead of running it; `work` must not wait for the device, and what it
  /// throws is passed on. Kernels and buffers in it must outlive the recording. Throws UnsupportedFeature where
  /// recording is not possible.
  Recording(const Stream& stream, const std::function<void()>& work);
  /// Enqueues the work once more, with the arguments it was recorded with.
  void replay(const Stream& stream) const;

 private:
  std::shared_ptr<RecordingState> state_;
};

}  // namespace maxwell_dg::core
