#pragma once

// Calls of OpenCL 2 and later are made only on devices that say they have them.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <string>

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "core/device/traced_call.hpp"

/// The calls of OpenCL that this backend makes, under their own names, so that the trace sees them: inside this
/// namespace a call finds these before the library's functions.
namespace maxwell_dg::core::opencl {

/// "CL_INVALID_VALUE"
[[nodiscard]] std::string error_name(cl_int code);

/// What a call returned: the name of a code, or the address of a handle.
struct OpenclResult {
  static std::string text(cl_int code) { return error_name(code); }
  template <class T>
  static std::string text(T* handle) {
    return trace_text(handle);
  }
};

#define MAXWELL_DG_CL_CALLS(X)          \
  X(clBuildProgram)                     \
  X(clCompileProgram)                   \
  X(clCreateBuffer)                     \
  X(clCreateCommandQueue)               \
  X(clCreateCommandQueueWithProperties) \
  X(clCreateContext)                    \
  X(clCreateImage)                      \
  X(clCreateKernel)                     \
  X(clCreateKernelsInProgram)           \
  X(clCreateProgramWithBinary)          \
  X(clCreateProgramWithIL)              \
  X(clCreateProgramWithSource)          \
  X(clCreateSubBuffer)                  \
  X(clCreateSubDevices)                 \
  X(clCreateUserEvent)                  \
  X(clEnqueueBarrierWithWaitList)       \
  X(clEnqueueCopyBuffer)                \
  X(clEnqueueCopyBufferRect)            \
  X(clEnqueueCopyImage)                 \
  X(clEnqueueFillBuffer)                \
  X(clEnqueueMapBuffer)                 \
  X(clEnqueueMarkerWithWaitList)        \
  X(clEnqueueNDRangeKernel)             \
  X(clEnqueueReadBuffer)                \
  X(clEnqueueReadBufferRect)            \
  X(clEnqueueReadImage)                 \
  X(clEnqueueUnmapMemObject)            \
  X(clEnqueueWriteBuffer)               \
  X(clEnqueueWriteBufferRect)           \
  X(clEnqueueWriteImage)                \
  X(clFinish)                           \
  X(clFlush)                            \
  X(clGetDeviceIDs)                     \
  X(clGetDeviceInfo)                    \
  X(clGetEventInfo)                     \
  X(clGetEventProfilingInfo)            \
  X(clGetImageInfo)                     \
  X(clGetKernelArgInfo)                 \
  X(clGetKernelInfo)                    \
  X(clGetKernelSubGroupInfo)            \
  X(clGetKernelWorkGroupInfo)           \
  X(clGetMemObjectInfo)                 \
  X(clGetPlatformIDs)                   \
  X(clGetPlatformInfo)                  \
  X(clGetProgramBuildInfo)              \
  X(clGetProgramInfo)                   \
  X(clGetSupportedImageFormats)         \
  X(clLinkProgram)                      \
  X(clReleaseCommandQueue)              \
  X(clReleaseContext)                   \
  X(clReleaseDevice)                    \
  X(clReleaseEvent)                     \
  X(clReleaseKernel)                    \
  X(clReleaseMemObject)                 \
  X(clReleaseProgram)                   \
  X(clRetainEvent)                      \
  X(clRetainCommandQueue)               \
  X(clRetainMemObject)                  \
  X(clSVMAlloc)                         \
  X(clSVMFree)                          \
  X(clSetEventCallback)                 \
  X(clSetKernelArg)                     \
  X(clSetUserEventStatus)               \
  X(clWaitForEvents)

#define MAXWELL_DG_DECLARE(name) inline constexpr TracedCall<decltype(&::name), OpenclResult> name{#name, &::name};
MAXWELL_DG_CL_CALLS(MAXWELL_DG_DECLARE)
#undef MAXWELL_DG_DECLARE

}  // namespace maxwell_dg::core::opencl
