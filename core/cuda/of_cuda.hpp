#pragma once

#include <string>

#include "core/cuda/states.hpp"

/// From neutral handles to CUDA's states, for what only CUDA has. Private to this folder.
namespace maxwell_dg::core::cuda {

/// A handle's state; UnsupportedFeature naming `what` was asked for when the handle is not CUDA's.
template <class Derived, class Base>
[[nodiscard]] Derived& of_cuda(Base& state, const char* what) {
  auto* derived = dynamic_cast<Derived*>(&state);
  if (derived == nullptr) throw lacks(Backend::opencl, what, "open a CUDA device for it");
  return *derived;
}

[[nodiscard]] inline std::shared_ptr<CudaDevice> cuda_device(const Device& device, const char* what) {
  return of_cuda<CudaDevice>(device.state(), what).self();
}
[[nodiscard]] inline CudaStream& cuda_stream(const Stream& stream, const char* what) {
  return of_cuda<CudaStream>(stream.state(), what);
}
[[nodiscard]] inline CudaBuffer& cuda_buffer(const Buffer& buffer, const char* what) {
  return of_cuda<CudaBuffer>(buffer.state(), what);
}
[[nodiscard]] inline CudaKernel& cuda_kernel(const Kernel& kernel, const char* what) {
  return of_cuda<CudaKernel>(kernel.state(), what);
}

}  // namespace maxwell_dg::core::cuda
