#include <cstdio>
#include <string>

#include "apps/examples/example.hpp"
#include "rtcg/array/elementwise_kernel.hpp"

/// z = a x + b y in one kernel: with types written down, and with types that are only known from the arrays at hand.
namespace {

using namespace maxwell_dg;
using rtcg::Argument;
using rtcg::DeviceArray;

DeviceArray static_types(const DeviceArray& x, const DeviceArray& y) {
  const rtcg::ElementwiseKernel kernel({.arguments = "float32 a, const float32* x, float32 b, const float32* y, "
                                                     "float32* z",
                                        .operation = "z[i] = a * x[i] + b * y[i]",
                                        .name = "linear_combination"});
  DeviceArray z = empty(x.context(), x.shape(), Dtype::float32);
  kernel(5.0, x, 6.0, y, z);
  return z;
}

/// The arguments are made from the arrays' dtypes, the result's dtype by promotion.
DeviceArray introspected_types(const DeviceArray& x, const DeviceArray& y) {
  const Dtype result = promote(x.dtype(), y.dtype());
  const rtcg::ElementwiseKernel kernel(
      {{"a", result, Argument::Kind::scalar},
       {"x", x.dtype(), Argument::Kind::input},
       {"b", result, Argument::Kind::scalar},
       {"y", y.dtype(), Argument::Kind::input},
       {"z", result, Argument::Kind::output}},
      {.arguments = "", .operation = "z[i] = a * x[i] + b * y[i]", .name = "linear_combination"});
  DeviceArray z = empty(x.context(), x.shape(), result);
  kernel(5.0, x, 6.0, y, z);
  return z;
}

void linear_combination(const rtcg::Context& context) {
  const std::vector<float> x = examples::noise(1000, 1);
  const std::vector<float> y = examples::noise(1000, 2);
  std::vector<int> whole(x.size());
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<int>(i) - 500;

  std::vector<float> of_floats(x.size());
  std::vector<double> of_whole(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    of_floats[i] = 5 * x[i] + 6 * y[i];
    of_whole[i] = 5.0 * whole[i] + 6.0 * static_cast<double>(y[i]);
  }
  const DeviceArray x_device = to_device(context, x);
  const DeviceArray y_device = to_device(context, y);
  examples::require_close(static_types(x_device, y_device).to_vector<float>(), of_floats, 1e-6, "static types: z");
  examples::require_close(introspected_types(x_device, y_device).to_vector<float>(), of_floats, 1e-6, "float32: z");
  const DeviceArray mixed = introspected_types(to_device(context, whole), y_device);
  examples::require_close(mixed.to_vector<double>(), of_whole, 1e-14, "int32 with float32: z");
  std::printf("int32 with float32 gives %s\n", std::string(name_of(mixed.dtype())).c_str());
}

}  // namespace

int main() {
  return examples::run(linear_combination);
}
