#pragma once

#include <string>

#include <cuda.h>

#include "core/device/backend.hpp"

/// The entry points of libcuda.so.1, loaded at run time: the program starts on a machine without a driver.
namespace maxwell_dg::core::cuda {

// One table. Names are the versioned ones that cuda.h maps its plain names to, so that header and library agree.
// cuEventElapsedTime stays at its first version, which every driver has and which differs in nothing used here.
#define MAXWELL_DG_CUDA_CALLS(X)  \
  X(cuInit)                       \
  X(cuDriverGetVersion)           \
  X(cuGetErrorName)               \
  X(cuGetErrorString)             \
  X(cuDeviceGetCount)             \
  X(cuDeviceGet)                  \
  X(cuDeviceGetName)              \
  X(cuDeviceGetAttribute)         \
  X(cuDeviceTotalMem_v2)          \
  X(cuDevicePrimaryCtxRetain)     \
  X(cuDevicePrimaryCtxRelease_v2) \
  X(cuCtxGetCurrent)              \
  X(cuCtxPushCurrent_v2)          \
  X(cuCtxPopCurrent_v2)           \
  X(cuCtxSynchronize)             \
  X(cuMemGetInfo_v2)              \
  X(cuMemAlloc_v2)                \
  X(cuMemFree_v2)                 \
  X(cuMemcpyHtoDAsync_v2)         \
  X(cuMemcpyDtoHAsync_v2)         \
  X(cuMemcpyDtoDAsync_v2)         \
  X(cuMemsetD8Async)              \
  X(cuStreamCreate)               \
  X(cuStreamDestroy_v2)           \
  X(cuStreamSynchronize)          \
  X(cuStreamWaitEvent)            \
  X(cuEventCreate)                \
  X(cuEventDestroy_v2)            \
  X(cuEventRecord)                \
  X(cuEventQuery)                 \
  X(cuEventSynchronize)           \
  X(cuEventElapsedTime)           \
  X(cuModuleLoadDataEx)           \
  X(cuModuleUnload)               \
  X(cuModuleGetFunction)          \
  X(cuFuncGetAttribute)           \
  X(cuFuncSetAttribute)           \
  X(cuLaunchKernel)

struct Driver {
#define MAXWELL_DG_DECLARE(name) decltype(&::name) name{};
  MAXWELL_DG_CUDA_CALLS(MAXWELL_DG_DECLARE)
#undef MAXWELL_DG_DECLARE
  /// Since CUDA 12.4; null in an older driver. Spelt out, because an older cuda.h does not declare it.
  CUresult(CUDAAPI* cuFuncGetParamInfo)(CUfunction, std::size_t index, std::size_t* offset, std::size_t* bytes){};
};

/// The loaded and initialized driver, or why there is none.
struct DriverState {
  const Driver* driver{};
  std::string absence;
};

/// Loaded once per process, never unloaded: states may be released while the program ends.
[[nodiscard]] const DriverState& driver_state();

/// The driver's calls. Throws DeviceError when there is no driver.
[[nodiscard]] const Driver& driver();

/// The newest CUDA that the driver supports, 12040 for 12.4; 0 without a driver.
[[nodiscard]] int driver_version();

/// "CUDA_ERROR_INVALID_VALUE (1): invalid argument"
[[nodiscard]] std::string error_text(CUresult code);

/// Throws DeviceError naming the call and the code unless `code` is CUDA_SUCCESS. `remedy` is one clause.
void check(CUresult code, const char* call, const std::string& remedy = {});

/// Makes a context current on this thread while it lives, and the one before again afterwards.
class ScopedContext {
 public:
  explicit ScopedContext(CUcontext context);
  ~ScopedContext();
  ScopedContext(const ScopedContext&) = delete;
  ScopedContext& operator=(const ScopedContext&) = delete;
  /// False when the driver has shut down, at the end of the program: there is nothing left to release.
  [[nodiscard]] bool is_current() const { return code_ == CUDA_SUCCESS; }
  /// Throws DeviceError unless is_current().
  const ScopedContext& required() const;

 private:
  CUresult code_;
  bool pushed_{};
};

}  // namespace maxwell_dg::core::cuda
