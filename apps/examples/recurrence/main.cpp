#include "apps/examples/example.hpp"
#include "rtcg/array/totals.hpp"

/// The recurrence diagram of a time series: which moments resemble which, seen as windows of a few delayed values. The
/// window is compiled in. Named as an application in Kloeckner et al., PyCUDA and PyOpenCL, 2012.
namespace {

using namespace maxwell_dg;

constexpr int kWindow = 4, kDelay = 2;
constexpr float kNear = 0.25F;

constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(64, 1, 1) recurrence(GLOBAL int32* RESTRICT near, GLOBAL const float32* RESTRICT series) {
  const int32 i = GROUP_ID(1), j = (int32)GLOBAL_ID(0);
  float32 farthest = 0.0f;
% for step in range(window):
  farthest = fmax(farthest, fabs(series[i + ${step * delay}] - series[j + ${step * delay}]));
% endfor
  near[(int64)i * ${moments} + j] = farthest <= ${literal(bound, 'float32')};
}
)";

/// x -> 3.9 x (1 - x), which is chaotic: it comes back near itself but never stays.
std::vector<float> logistic_map(int count) {
  std::vector<float> series;
  for (double x = 0.4; std::ssize(series) < count; x *= 3.9 * (1 - x)) series.push_back(static_cast<float>(x));
  return series;
}

std::vector<std::int32_t> diagram_on_host(const std::vector<float>& series, int moments) {
  std::vector<std::int32_t> near(static_cast<std::size_t>(moments) * moments);
  for (std::size_t i = 0, at = 0; at < near.size(); ++i) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(moments); ++j, ++at) {
      float farthest = 0;
      for (std::size_t k = 0; k < kWindow * kDelay; k += kDelay) {
        farthest = std::max(farthest, std::abs(series[i + k] - series[j + k]));
      }
      near[at] = farthest <= kNear ? 1 : 0;
    }
  }
  return near;
}

void recurrence(const rtcg::Context& context) {
  const int moments = examples::size_for(context, 1024, 8192);
  const std::vector<float> series = logistic_map(moments + kWindow * kDelay);
  std::vector<std::int32_t> expected;
  const double host = examples::host_seconds([&] { expected = diagram_on_host(series, moments); });

  const rtcg::DeviceArray near = empty(context, {moments, moments}, Dtype::int32), x = to_device(context, series);
  const core::Kernel kernel = examples::kernel_of(
      context, "recurrence", kText,
      {{"window", kWindow}, {"delay", kDelay}, {"moments", moments}, {"bound", static_cast<double>(kNear)}});
  const auto size = static_cast<std::size_t>(moments);
  const double device = examples::launch_seconds(
      context, kernel, {.groups = {size / 64, size, 1}, .group_size = {64, 1, 1}}, {near.buffer(), x.buffer()});

  const std::vector<std::int32_t> found = near.to_vector<std::int32_t>();
  examples::require(found == expected, "the diagram is not the host's");
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 64; ++j) std::putchar(found[i * size + j] != 0 ? '#' : '.');
    std::putchar('\n');
  }
  std::printf("%.2f %% of all pairs of moments are near each other\n", 100 * mean(near).item<double>());
  examples::print_speed_up(host, device);
}

}  // namespace

int main() {
  return examples::run(recurrence);
}
