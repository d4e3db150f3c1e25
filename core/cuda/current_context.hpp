#pragma once

#include <memory>

#include "core/device/device.hpp"

namespace maxwell_dg::core::cuda {

class ScopedContext;

/// Makes a device's context the current one of this thread while the object lives, for libraries that work in whatever
/// context is current: cuBLAS, cuFFT, cuSPARSE, the CUDA runtime. Our own calls do so by themselves.
class CurrentContext {
 public:
  explicit CurrentContext(Device device);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  Device device_;
  std::unique_ptr<ScopedContext> scope_;
};

}  // namespace maxwell_dg::core::cuda
