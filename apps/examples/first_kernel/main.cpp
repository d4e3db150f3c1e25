#include <cstdio>
#include <vector>

#include "core/device/call.hpp"
#include "core/error.hpp"
#include "rtcg/compile/compiler.hpp"

using namespace maxwell_dg;

int main() try {
  const core::Device device = core::Device::open("auto");  // a GPU, or else the CPU
  rtcg::Compiler compiler(device);
  const core::Module module = compiler.compile({.name = "axpy.kernel", .text = R"(
    KERNEL void axpy(float32 a, GLOBAL const float32* x, GLOBAL float32* y) {
      y[GLOBAL_ID(0)] += a * x[GLOBAL_ID(0)];
    })"});

  const std::vector<float> x{1, 2, 3, 4};
  std::vector<float> y{10, 20, 30, 40};
  core::call(device, module.kernel("axpy"), {.group_size = {4, 1, 1}}, {2.0F, core::In(x), core::InOut(y)});
  for (const float value : y) std::printf("%g\n", value);  // 12 24 36 48
} catch (const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return static_cast<int>(error.code());
}
