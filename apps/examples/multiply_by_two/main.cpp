#include <cstdio>
#include <vector>

#include "apps/examples/example.hpp"
#include "core/device/call.hpp"

/// A kernel as text, compiled and called on host memory. In and Out carry the numbers to the device and back.
namespace {

using namespace maxwell_dg;

constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(64, 1, 1) multiply_by_two(GLOBAL float32* RESTRICT to, GLOBAL const float32* RESTRICT from) {
  to[GLOBAL_ID(0)] = 2.0f * from[GLOBAL_ID(0)];
}
)";

void multiply_by_two(const rtcg::Context& context) {
  const std::vector<float> from = examples::noise(4096);
  std::vector<float> to(from.size());
  const core::Kernel kernel =
      context.compiler().compile({.name = "multiply_by_two.kernel", .text = kText}).kernel("multiply_by_two");
  core::call(context.device(), kernel, {.groups = {from.size() / 64, 1, 1}, .group_size = {64, 1, 1}},
             {core::Out(to), core::In(from)});

  std::vector<float> expected(from);
  for (float& value : expected) value *= 2;
  examples::require(to == expected, "the kernel's numbers are not twice the host's");
  std::printf("%zu numbers are multiplied by two\n", to.size());
}

}  // namespace

int main() {
  return examples::run(multiply_by_two);
}
