#pragma once

#include <string>

#include <cuda.h>

#include "core/device/backend.hpp"
#include "core/device/traced_call.hpp"

/// The entry points of libcuda.so.1, loaded at run time: the program starts on a machine without a driver.
namespace maxwell_dg::core::cuda {

// One table. Names are the versioned ones that cuda.h maps its plain names to, so that header and library agree.
// cuEventElapsedTime stays at its first version, which every driver has and which differs in nothing used here.
// clang-format off
#define MAXWELL_DG_CUDA_CALLS(X) \
  X(cuInit) \
  X(cuDriverGetVersion) \
  X(cuGetErrorName) \
  X(cuGetErrorString) \
  X(cuDeviceGetCount) \
  X(cuDeviceGet) \
  X(cuDeviceGetName) \
  X(cuDeviceGetAttribute) \
  X(cuDeviceTotalMem_v2) \
  X(cuDeviceGetPCIBusId) \
  X(cuDeviceGetUuid_v2) \
  X(cuDevicePrimaryCtxRetain) \
  X(cuDevicePrimaryCtxRelease_v2) \
  X(cuDevicePrimaryCtxReset_v2) \
  X(cuDeviceCanAccessPeer) \
  X(cuDeviceGetDefaultMemPool) \
  X(cuCtxDestroy_v2) \
  X(cuCtxGetCurrent) \
  X(cuCtxPushCurrent_v2) \
  X(cuCtxPopCurrent_v2) \
  X(cuCtxSynchronize) \
  X(cuCtxGetStreamPriorityRange) \
  X(cuCtxEnablePeerAccess) \
  X(cuMemGetInfo_v2) \
  X(cuMemAlloc_v2) \
  X(cuMemFree_v2) \
  X(cuMemAllocAsync) \
  X(cuMemFreeAsync) \
  X(cuMemAllocManaged) \
  X(cuMemHostAlloc) \
  X(cuMemFreeHost) \
  X(cuMemHostRegister_v2) \
  X(cuMemHostUnregister) \
  X(cuMemHostGetDevicePointer_v2) \
  X(cuMemPoolTrimTo) \
  X(cuMemGetAddressRange_v2) \
  X(cuMemsetD2D8Async) \
  X(cuMemsetD2D16Async) \
  X(cuMemsetD2D32Async) \
  X(cuCtxGetLimit) \
  X(cuCtxSetLimit) \
  X(cuCtxGetCacheConfig) \
  X(cuCtxSetCacheConfig) \
  X(cuMemcpyHtoDAsync_v2) \
  X(cuMemcpyDtoHAsync_v2) \
  X(cuMemcpyDtoDAsync_v2) \
  X(cuMemcpyPeerAsync) \
  X(cuMemcpy3DAsync_v2) \
  X(cuMemsetD8Async) \
  X(cuMemsetD16Async) \
  X(cuMemsetD32Async) \
  X(cuArray3DCreate_v2) \
  X(cuArrayDestroy) \
  X(cuTexObjectCreate) \
  X(cuTexObjectDestroy) \
  X(cuSurfObjectCreate) \
  X(cuSurfObjectDestroy) \
  X(cuStreamCreateWithPriority) \
  X(cuStreamDestroy_v2) \
  X(cuStreamSynchronize) \
  X(cuStreamWaitEvent) \
  X(cuStreamQuery) \
  X(cuStreamIsCapturing) \
  X(cuStreamBeginCapture_v2) \
  X(cuStreamEndCapture) \
  X(cuEventCreate) \
  X(cuEventDestroy_v2) \
  X(cuEventRecord) \
  X(cuEventQuery) \
  X(cuEventSynchronize) \
  X(cuEventElapsedTime) \
  X(cuGraphInstantiateWithFlags) \
  X(cuGraphExecUpdate_v2) \
  X(cuGraphLaunch) \
  X(cuGraphDestroy) \
  X(cuGraphExecDestroy) \
  X(cuGraphGetNodes) \
  X(cuIpcGetMemHandle) \
  X(cuIpcOpenMemHandle_v2) \
  X(cuIpcCloseMemHandle) \
  X(cuIpcGetEventHandle) \
  X(cuIpcOpenEventHandle) \
  X(cuModuleLoadDataEx) \
  X(cuModuleUnload) \
  X(cuModuleGetFunction) \
  X(cuModuleGetGlobal_v2) \
  X(cuLinkCreate_v2) \
  X(cuLinkAddData_v2) \
  X(cuLinkComplete) \
  X(cuLinkDestroy) \
  X(cuFuncGetAttribute) \
  X(cuFuncSetAttribute) \
  X(cuFuncSetCacheConfig) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuOccupancyMaxPotentialBlockSize) \
  X(cuLaunchKernelEx) \
  X(cuLaunchHostFunc) \
  X(cuGraphicsMapResources) \
  X(cuGraphicsUnmapResources) \
  X(cuGraphicsResourceGetMappedPointer_v2) \
  X(cuGraphicsUnregisterResource)
// clang-format on

// Calls that an older driver lacks, or that the newest cuda.h no longer declares in this version; null where they are
// missing. Spelt out, so that any cuda.h will do.
#define MAXWELL_DG_CUDA_OPTIONAL_CALLS(X)                                                                       \
  X(cuFuncGetParamInfo, CUresult (*)(CUfunction, std::size_t index, std::size_t * offset, std::size_t * bytes)) \
  X(cuCtxCreate_v2, CUresult (*)(CUcontext*, unsigned flags, CUdevice))                                         \
  X(cuMemPrefetchAsync, CUresult (*)(CUdeviceptr, std::size_t bytes, CUdevice to, CUstream))                    \
  X(cuMemAdvise, CUresult (*)(CUdeviceptr, std::size_t bytes, CUmem_advise, CUdevice))                          \
  X(cuProfilerStart, CUresult (*)())                                                                            \
  X(cuProfilerStop, CUresult (*)())                                                                             \
  X(cuGraphicsGLRegisterBuffer, CUresult (*)(CUgraphicsResource*, unsigned gl_buffer, unsigned flags))

/// What a code is called, for the trace.
struct CudaResult {
  static std::string text(CUresult code);
};

struct Driver {
#define MAXWELL_DG_DECLARE(name) TracedCall<decltype(&::name), CudaResult> name{#name, nullptr};
  MAXWELL_DG_CUDA_CALLS(MAXWELL_DG_DECLARE)
#undef MAXWELL_DG_DECLARE
#define MAXWELL_DG_DECLARE(name, ...) TracedCall<__VA_ARGS__, CudaResult> name{#name, nullptr};
  MAXWELL_DG_CUDA_OPTIONAL_CALLS(MAXWELL_DG_DECLARE)
#undef MAXWELL_DG_DECLARE
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

/// Throws unless `code` is CUDA_SUCCESS: ContextLost after a fault, OutOfDeviceMemory, else DriverError. `remedy` is
/// one clause, put before what is known to help; a fault has its own.
void check(CUresult code, const char* call, const std::string& remedy = {});

/// The same for calls that make or reset a context. Where these are told of a fault, the driver refuses the device to
/// this process, as it does after most faults; the message says so.
void check_opening(CUresult code, const char* call, const std::string& remedy = {});

/// True for codes after which every call in the context fails.
[[nodiscard]] bool is_fault(CUresult code);

}  // namespace maxwell_dg::core::cuda
