#include <cstdint>
#include <cstdio>

#include "apps/examples/example.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/source/literal.hpp"
#include "rtcg/source/template.hpp"
#include "rtcg/tune/measure.hpp"

/// The recurrence diagram of a time series: which moments resemble which, seen as windows of a few delayed values. The
/// window is compiled in. Application named in Kloeckner et al., PyCUDA and PyOpenCL, 2012.
namespace {

using namespace maxwell_dg;

constexpr int kMoments = 1024;
constexpr int kWindow = 4;
constexpr int kDelay = 2;
constexpr int kGroup = 64;
constexpr float kNear = 0.25F;

constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(${group}, 1, 1) recurrence(GLOBAL int32* RESTRICT near, GLOBAL const float32* RESTRICT series) {
  const int32 i = GROUP_ID(1), j = (int32)GLOBAL_ID(0);
  float32 farthest = 0.0f;
% for step in range(window):
  farthest = fmax(farthest, fabs(series[i + ${step * delay}] - series[j + ${step * delay}]));
% endfor
  near[(int64)i * ${moments} + j] = farthest <= ${bound};
}
)";

/// x -> 3.9 x (1 - x), which is chaotic: it comes back near itself but never stays.
std::vector<float> logistic_map() {
  std::vector<float> series(kMoments + kWindow * kDelay);
  double x = 0.4;
  for (float& value : series) {
    value = static_cast<float>(x);
    x *= 3.9 * (1 - x);
  }
  return series;
}

std::vector<std::int32_t> diagram_on_host(const std::vector<float>& series) {
  std::vector<std::int32_t> near(std::size_t{kMoments} * kMoments);
  for (std::size_t i = 0; i < kMoments; ++i) {
    for (std::size_t j = 0; j < kMoments; ++j) {
      float farthest = 0;
      for (std::size_t step = 0; step < kWindow; ++step) {
        farthest = std::max(farthest, std::abs(series[i + step * kDelay] - series[j + step * kDelay]));
      }
      near[i * kMoments + j] = farthest <= kNear ? 1 : 0;
    }
  }
  return near;
}

void recurrence(const rtcg::Context& context) {
  const std::vector<float> series = logistic_map();
  std::vector<std::int32_t> expected;
  const double host = examples::host_seconds([&] { expected = diagram_on_host(series); });

  const rtcg::DeviceArray series_device = to_device(context, series);
  const rtcg::DeviceArray near = empty(context, {kMoments, kMoments}, Dtype::int32);
  const std::string text = rtcg::Template("recurrence.kernel", kText)
                               .render({{"group", kGroup},
                                        {"window", kWindow},
                                        {"delay", kDelay},
                                        {"moments", kMoments},
                                        {"bound", rtcg::literal(kNear, Dtype::float32)}});
  const core::Kernel kernel =
      context.compiler().compile({.name = "recurrence.kernel", .text = text}).kernel("recurrence");
  const double device = rtcg::measure_seconds(context.stream(), [&] {
    kernel.launch(context.stream(), {.groups = {kMoments / kGroup, kMoments, 1}, .group_size = {kGroup, 1, 1}},
                  {near.buffer(), series_device.buffer()});
  });
  const std::vector<std::int32_t> found = near.to_vector<std::int32_t>();
  examples::require(found == expected, "the diagram is not the host's");
  std::size_t pairs = 0;
  for (const std::int32_t value : found) pairs += static_cast<std::size_t>(value);
  for (std::size_t i = 0; i < 24; ++i) {
    for (std::size_t j = 0; j < 48; ++j) std::putchar(found[i * kMoments + j] != 0 ? '#' : '.');
    std::putchar('\n');
  }
  std::printf("%.2f %% of all pairs of moments are near each other\n",
              100.0 * static_cast<double>(pairs) / static_cast<double>(found.size()));
  std::printf("%.1f times as fast as one CPU core\n", host / device);
}

}  // namespace

int main() {
  return examples::run(recurrence);
}
