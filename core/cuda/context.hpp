#pragma once

#include <atomic>

#include "core/cuda/driver.hpp"

namespace maxwell_dg::core::cuda {

/// A context that this library uses: the device's primary one, which other libraries in the process use too, or one of
/// its own.
class Context {
 public:
  /// After a fault in the primary context it is reset, which ends it for every library in the process: only so may the
  /// device work again. Earlier Contexts of the device are then no longer valid. Throws ContextLost where the driver
  /// refuses a fresh context after a fault.
  Context(CUdevice device, ContextKind kind);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  [[nodiscard]] CUcontext get() const { return context_; }
  [[nodiscard]] CUdevice device() const { return device_; }
  /// False when the context has been reset, and its address may by now name another one, or abandoned.
  [[nodiscard]] bool is_valid() const;
  /// A kernel in it does not end: nothing of it is used or released any more, which would wait.
  void abandon() { is_abandoned_ = true; }

 private:
  CUdevice device_;
  ContextKind kind_;
  CUcontext context_{};
  std::atomic<bool> is_abandoned_{};
  unsigned resets_{};  // of the device's primary context, when this one began
};

/// Makes a context current on this thread while it lives, and the one before again afterwards.
class ScopedContext {
 public:
  explicit ScopedContext(const Context& context);
  ~ScopedContext();
  ScopedContext(const ScopedContext&) = delete;
  ScopedContext& operator=(const ScopedContext&) = delete;
  /// False when the driver has shut down, at the end of the program, or the context is gone: there is nothing left to
  /// release.
  [[nodiscard]] bool is_current() const { return code_ == CUDA_SUCCESS; }
  /// Throws unless is_current().
  const ScopedContext& required() const;

 private:
  CUresult code_;
  bool pushed_{};
};

}  // namespace maxwell_dg::core::cuda
