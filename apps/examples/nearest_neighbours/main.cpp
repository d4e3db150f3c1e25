#include <numbers>

#include "apps/examples/example.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/totals.hpp"

/// The entropy of a distribution from samples alone: by the distance of each to its nearest neighbour, found by brute
/// force. Named as an application in Kloeckner et al., PyCUDA and PyOpenCL, 2012; the estimate is that of Kozachenko
/// and Leonenko, 1987.
namespace {

using namespace maxwell_dg;

constexpr int kDimensions = 3;

// The number of coordinates is compiled in: a point is held in registers.
constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(64, 1, 1) nearest(GLOBAL float32* RESTRICT squared, GLOBAL const float32* RESTRICT x) {
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
  const std::size_t points = x.size() / kDimensions;
  std::vector<float> squared(points, std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = 0; j < points; ++j) {
      float sum = 0;
      for (std::size_t d = 0; d < kDimensions; ++d) {
        const float difference = x[d * points + j] - x[d * points + i];
        sum += difference * difference;
      }
      if (j != i) squared[i] = std::min(squared[i], sum);
    }
  }
  return squared;
}

void nearest_neighbours(const rtcg::Context& context) {
  const int points = examples::size_for(context, 4096, 32768);
  const std::vector<float> x = examples::noise(static_cast<std::size_t>(points * kDimensions));  // a cube of edge 2
  std::vector<float> expected;
  const double host = examples::host_seconds([&] { expected = nearest_on_host(x); });

  const rtcg::DeviceArray squared = empty(context, {points}, Dtype::float32), x_device = to_device(context, x);
  const core::Kernel kernel =
      examples::kernel_of(context, "nearest", kText, {{"dimensions", kDimensions}, {"points", points}});
  const core::LaunchShape shape{.groups = {static_cast<std::size_t>(points / 64), 1, 1}, .group_size = {64, 1, 1}};
  const double device = examples::launch_seconds(context, kernel, shape, {squared.buffer(), x_device.buffer()});
  examples::require_close(squared.to_vector<float>(), expected, 1e-5, "squared distance");

  const double log_of_distance = 0.5 * mean(log(rtcg::lazy(squared))).item<float>(), ball = 4.0 / 3 * std::numbers::pi;
  const double entropy = kDimensions * log_of_distance + std::log(ball * (points - 1)) + std::numbers::egamma;
  const double exact = kDimensions * std::log(2.0);
  std::printf("entropy %.3f nats, exactly %.3f (the edge of the cube makes it a little larger)\n", entropy, exact);
  examples::require(std::abs(entropy - exact) < 0.15, "the entropy is far from log 8");
  examples::print_speed_up(host, device);
}

}  // namespace

int main() {
  return examples::run(nearest_neighbours);
}
