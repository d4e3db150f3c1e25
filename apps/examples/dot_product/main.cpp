#include <cstdio>

#include "apps/examples/example.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/reduction.hpp"
#include "rtcg/array/totals.hpp"

/// The dot product three ways: as a reduction of an own map expression, as a formula that is summed on the way, and as
/// the function that is there.
namespace {

using namespace maxwell_dg;

void dot_product(const rtcg::Context& context) {
  const std::vector<float> x = examples::noise(100000, 1);
  const std::vector<float> y = examples::noise(100000, 2);
  double expected = 0;
  double scale = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double product = static_cast<double>(x[i]) * static_cast<double>(y[i]);
    expected += product;
    scale += std::abs(product);
  }

  const rtcg::DeviceArray x_device = to_device(context, x);
  const rtcg::DeviceArray y_device = to_device(context, y);
  const rtcg::ReductionKernel kernel({.arguments = "const float32* x, const float32* y",
                                      .map = "x[i] * y[i]",
                                      .reduce = "a + b",
                                      .neutral = "0",
                                      .result = Dtype::float32,
                                      .name = "dot_product"});
  const float by_kernel = kernel(x_device, y_device).item<float>();
  const float by_formula = sum(rtcg::lazy(x_device) * y_device).item<float>();
  const float by_function = dot(x_device, y_device).item<float>();
  for (const float value : {by_kernel, by_formula, by_function}) {
    examples::require(std::abs(static_cast<double>(value) - expected) <= 1e-6 * scale,
                      "the dot product is " + std::to_string(value) + ", expected " + std::to_string(expected));
  }
  std::printf("by kernel %.4f, by formula %.4f, by function %.4f; on the host %.4f\n", static_cast<double>(by_kernel),
              static_cast<double>(by_formula), static_cast<double>(by_function), expected);
}

}  // namespace

int main() {
  return examples::run(dot_product);
}
