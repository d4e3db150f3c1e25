#include <iostream>

#include "apps/examples/example.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/print.hpp"

/// Arithmetic on arrays, without a line of kernel text.
namespace {

using namespace maxwell_dg;

void double_array(const rtcg::Context& context) {
  const std::vector<float> host = examples::noise(16);
  const rtcg::DeviceArray x = rtcg::to_device(context, host, {4, 4});
  const rtcg::DeviceArray twice = 2 * x;
  std::cout << x << "\ntimes two is\n" << twice << "\n";

  std::vector<float> expected(host);
  for (float& value : expected) value *= 2;
  examples::require(twice.to_vector<float>() == expected, "2 * x is not twice the host's x");
}

}  // namespace

int main() {
  return examples::run(double_array);
}
