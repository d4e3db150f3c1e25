#include <cstdio>
#include <numbers>

#include "apps/examples/example.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/source/template.hpp"
#include "rtcg/tune/measure.hpp"

/// The entropy of a distribution from samples alone: by the distance of each to its nearest neighbour, found by brute
/// force. Application named in Kloeckner et al., PyCUDA and PyOpenCL, 2012; estimate of Kozachenko and Leonenko, 1987.
namespace {

using namespace maxwell_dg;

constexpr std::size_t kPoints = 4096;
constexpr int kDimensions = 3;
constexpr std::size_t kGroup = 64;

// The number of coordinates is compiled in: a point is held in registers.
constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(${group}, 1, 1) nearest(GLOBAL float32* RESTRICT squared, GLOBAL const float32* RESTRICT x) {
  const int32 i = (int32)GLOBAL_ID(0);
% for d in range(dimensions):
  const float32 x${d} = x[${d * points} + i];
% endfor
  float32 least = INFINITY;
  for (int32 j = 0; j < ${points}; ++j) {
    float32 sum = 0.0f;
% for d in range(dimensions):
    const float32 d${d} = x[${d * points} + j] - x${d};
    sum = fma(d${d}, d${d}, sum);
% endfor
    least = j == i ? least : fmin(least, sum);
  }
  squared[i] = least;
}
)";

std::vector<float> nearest_on_host(const std::vector<float>& x) {
  std::vector<float> squared(kPoints, std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < kPoints; ++i) {
    for (std::size_t j = 0; j < kPoints; ++j) {
      float sum = 0;
      for (std::size_t d = 0; d < kDimensions; ++d) {
        const float difference = x[d * kPoints + j] - x[d * kPoints + i];
        sum += difference * difference;
      }
      if (j != i) squared[i] = std::min(squared[i], sum);
    }
  }
  return squared;
}

/// In nats, for points in three dimensions.
double entropy(const std::vector<float>& squared) {
  double logs = 0;
  for (const float square : squared) logs += 0.5 * std::log(static_cast<double>(square));
  const double ball = 4.0 / 3.0 * std::numbers::pi;
  return kDimensions * logs / kPoints + std::log(ball) + std::log(kPoints - 1.0) + std::numbers::egamma;
}

void nearest_neighbours(const rtcg::Context& context) {
  const std::vector<float> x = examples::noise(kPoints * kDimensions);  // uniform in a cube of edge 2
  std::vector<float> expected;
  const double host = examples::host_seconds([&] { expected = nearest_on_host(x); });

  const rtcg::DeviceArray x_device = to_device(context, x);
  const rtcg::DeviceArray squared = empty(context, {kPoints}, Dtype::float32);
  const std::string text = rtcg::Template("nearest.kernel", kText)
                               .render({{"dimensions", kDimensions}, {"points", kPoints}, {"group", kGroup}});
  const core::Kernel kernel = context.compiler().compile({.name = "nearest.kernel", .text = text}).kernel("nearest");
  const double device = rtcg::measure_seconds(
      context.stream(),
      [&] {
        kernel.launch(context.stream(), {.groups = {kPoints / kGroup, 1, 1}, .group_size = {kGroup, 1, 1}},
                      {squared.buffer(), x_device.buffer()});
      },
      {.warm_up = 1, .repeats = 3});

  const std::vector<float> found = squared.to_vector<float>();
  examples::require_close(found, expected, 1e-5, "squared distance");
  const double exact = kDimensions * std::log(2.0);
  examples::require(std::abs(entropy(found) - exact) < 0.15, "the entropy is far from log 8");
  std::printf("entropy %.3f nats, exactly %.3f (the edge of the cube makes it a little larger)\n", entropy(found),
              exact);
  std::printf("%.1f times as fast as one CPU core\n", host / device);
}

}  // namespace

int main() {
  return examples::run(nearest_neighbours);
}
