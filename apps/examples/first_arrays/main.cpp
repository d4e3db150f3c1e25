#include <cstdio>
#include <iostream>
#include <vector>

#include "core/error.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/lazy.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/print.hpp"
#include "rtcg/array/totals.hpp"

using namespace maxwell_dg;

int main() try {
  const rtcg::Context context = rtcg::Context::open("auto");  // device, stream, compiler and memory pool
  const rtcg::DeviceArray x = rtcg::to_device(context, std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  const rtcg::DeviceArray row = rtcg::to_device(context, std::vector<float>{10, 20, 30});

  std::cout << x + 2 * row << '\n';                                    // one kernel an operation, as in NumPy
  std::cout << rtcg::evaluate(sqrt(rtcg::lazy(x)) + 2 * row) << '\n';  // one kernel for all of it
  std::cout << rtcg::sum(x).item<float>() << '\n';                     // 21

  const rtcg::ElementwiseKernel clamp(
      {.arguments = "const float32* x, float32 most, float32* y", .operation = "y[i] = x[i] < most ? x[i] : most"});
  const rtcg::DeviceArray y = rtcg::empty(context, x.shape(), Dtype::float32);
  clamp(x, 4.5F, y);
  std::cout << y << '\n';
} catch (const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return static_cast<int>(error.code());
}
