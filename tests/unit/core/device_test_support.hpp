#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/device/device.hpp"
#include "core/error.hpp"

namespace maxwell_dg::core {

/// GoogleTest's words for a parameter.
inline void PrintTo(const DeviceInfo& info, std::ostream* out) {
  *out << info.name;
}

}  // namespace maxwell_dg::core

/// What the tests of the device layer share: every device present, and kernels that mean the same on each backend.
namespace maxwell_dg::core::test {

/// The few words that CUDA C++ and OpenCL C spell differently.
inline std::string prologue(Backend backend) {
  if (backend == Backend::cuda) {
    return "#define KERNEL extern \"C\" __global__\n#define GLOBAL\n#define SHARED __shared__\n"
           "#define BARRIER __syncthreads()\n#define ITEM ((int)(blockIdx.x * blockDim.x + threadIdx.x))\n"
           "#define LOCAL_ITEM ((int)threadIdx.x)\ntypedef long long int64;\ntypedef unsigned long long uint64;\n"
           "typedef unsigned uint;\ntypedef unsigned char uchar;\ntypedef unsigned short ushort;\n";
  }
  return "#define KERNEL __kernel\n#define GLOBAL __global\n#define SHARED __local\n"
         "#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)\n#define ITEM ((int)get_global_id(0))\n"
         "#define LOCAL_ITEM ((int)get_local_id(0))\ntypedef long int64;\ntypedef ulong uint64;\n";
}

inline BuildRequest request(const Device& device, const std::string& text) {
  return {.name = "test.kernel", .text = prologue(device.info().backend) + text, .headers = {}, .options = {}};
}

inline Module build_module(const Device& device, const std::string& text) {
  const BuildResult result = device.build(request(device, text));
  EXPECT_TRUE(result.ok) << result.log;
  return device.load(result.binary, "test");
}

/// Waits, so that `values` may be a temporary.
template <class T>
void upload(const Stream& stream, const Buffer& buffer, const std::vector<T>& values, std::size_t offset = 0) {
  stream.write(buffer, offset * sizeof(T), std::as_bytes(std::span(values)));
  stream.synchronize();
}

template <class T>
std::vector<T> download(const Stream& stream, const Buffer& buffer, std::size_t count) {
  std::vector<T> values(count);
  stream.read(buffer, 0, std::as_writable_bytes(std::span(values)));
  stream.synchronize();
  return values;
}

/// The message of the error that `action` throws; fails the test when it throws nothing, or something else.
template <class ErrorType, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const ErrorType& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

class EveryDevice : public testing::TestWithParam<DeviceInfo> {
 protected:
  const Device device = Device::open(GetParam());
};

inline std::string device_label(const testing::TestParamInfo<DeviceInfo>& info) {
  return std::string(info.param.backend == Backend::cuda ? "cuda" : "opencl") + "_" + std::to_string(info.param.index);
}

/// One INSTANTIATE per test file; a machine without devices has nothing to test.
#define MAXWELL_DG_ON_EVERY_DEVICE(Suite)                                                  \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Suite);                                    \
  INSTANTIATE_TEST_SUITE_P(, Suite, testing::ValuesIn(::maxwell_dg::core::list_devices()), \
                           ::maxwell_dg::core::test::device_label)

}  // namespace maxwell_dg::core::test
