#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "apps/examples/example.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/source/template.hpp"
#include "rtcg/tune/measure.hpp"
#include "rtcg/tune/tuner.hpp"

/// A bank of filters over an image of several channels: a 3D convolution whose sizes and unrolling are compiled in, and
/// whose fastest form is looked for. The idea of tuning it per input is that of Pinto et al., filter-bank correlation.
namespace {

using namespace maxwell_dg;

constexpr int kEdge = 128;  // of the result
constexpr int kChannels = 3;
constexpr int kFilters = 8;
constexpr int kWidth = 3;
constexpr int kInput = kEdge + kWidth - 1;

// A work-item computes ${each} filters at one pixel, so that what it reads of the image serves all of them.
constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(${group}, 1, 1) filter_bank(GLOBAL float32* RESTRICT out, GLOBAL const float32* RESTRICT image,
                                                    GLOBAL const float32* RESTRICT filters) {
  const int32 x = (int32)GLOBAL_ID(0), y = GROUP_ID(1), first = GROUP_ID(2) * ${each};
% for f in range(each):
  float32 sum${f} = 0.0f;
% endfor
% for tap in range(channels * width * width):
% set from = (tap // (width * width) * input + tap // width % width) * input + tap % width
  {
    const float32 pixel = image[y * ${input} + x + ${from}];
% for f in range(each):
    sum${f} = fma(pixel, filters[first * ${channels * width * width} + ${f * channels * width * width + tap}], sum${f});
% endfor
  }
% endfor
% for f in range(each):
  out[((first + ${f}) * ${edge} + y) * ${edge} + x] = sum${f};
% endfor
}
)";

std::vector<float> bank_on_host(const std::vector<float>& image, const std::vector<float>& filters) {
  std::vector<float> out(std::size_t{kFilters} * kEdge * kEdge);
  for (std::size_t f = 0; f < kFilters; ++f) {
    for (std::size_t tap = 0; tap < kChannels * kWidth * kWidth; ++tap) {
      const float weight = filters[f * kChannels * kWidth * kWidth + tap];
      const std::size_t from = (tap / (kWidth * kWidth) * kInput + tap / kWidth % kWidth) * kInput + tap % kWidth;
      for (std::size_t y = 0; y < kEdge; ++y) {
        for (std::size_t x = 0; x < kEdge; ++x) {
          out[(f * kEdge + y) * kEdge + x] += weight * image[from + y * kInput + x];
        }
      }
    }
  }
  return out;
}

rtcg::Candidate candidate(const rtcg::Configuration& configuration) {
  rtcg::Record values = configuration;
  values.insert({{"channels", kChannels}, {"width", kWidth}, {"input", kInput}, {"edge", kEdge}});
  const auto group = static_cast<std::size_t>(configuration.at("group").integer());
  const auto each = static_cast<std::size_t>(configuration.at("each").integer());
  rtcg::Candidate made;
  made.source = {.name = "filter_bank.kernel", .text = rtcg::Template("filter_bank.kernel", kText).render(values)};
  made.kernel = "filter_bank";
  made.shape = {.groups = {kEdge / group, kEdge, kFilters / each}, .group_size = {group, 1, 1}};
  return made;
}

void filter_bank(const rtcg::Context& context) {
  const std::vector<float> image = examples::noise(std::size_t{kChannels} * kInput * kInput, 1);
  const std::vector<float> filters = examples::noise(std::size_t{kFilters} * kChannels * kWidth * kWidth, 2);
  std::vector<float> expected;
  const double host = examples::host_seconds([&] { expected = bank_on_host(image, filters); });

  const rtcg::DeviceArray image_device = to_device(context, image);
  const rtcg::DeviceArray filters_device = to_device(context, filters);
  const rtcg::DeviceArray out = empty(context, {kFilters, kEdge, kEdge}, Dtype::float32);
  context.stream().synchronize();

  rtcg::TuningProblem problem{
      .question = "filter bank", .shape = {{"edge", kEdge}, {"channels", kChannels}, {"width", kWidth}}, .code = kText};
  problem.space.add("group", {32, 128}).add("each", {2, 8});
  problem.candidate = [&](const rtcg::Configuration& configuration) {
    rtcg::Candidate made = candidate(configuration);
    made.arguments = {out.buffer(), image_device.buffer(), filters_device.buffer()};
    return made;
  };
  problem.prepare = [&](const core::Stream& stream) { stream.fill_zero(out.buffer()); };
  problem.verify = [&](const core::Stream& stream) -> std::string {
    std::vector<float> found(expected.size());
    stream.read(out.buffer(), 0, std::as_writable_bytes(std::span(found)));
    stream.synchronize();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!(std::abs(found[i] - expected[i]) <= 1e-4F)) return "differs at " + std::to_string(i);
    }
    return "";
  };
  const rtcg::TuningResult result =
      rtcg::Tuner(context.compiler()).tune(problem, {.search = rtcg::SearchKind::exhaustive, .seconds = 2});

  const rtcg::Candidate best = problem.candidate(result.best);
  const core::Kernel kernel = context.compiler().compile(best.source).kernel(best.kernel);
  const double device =
      rtcg::measure_seconds(context.stream(), [&] { kernel.launch(context.stream(), best.shape, best.arguments); });
  examples::require_close(out.to_vector<float>(), expected, 1e-5, "out");
  std::printf("best with %s\n", rtcg::written(result.best).c_str());
  std::printf("%.1f times as fast as one CPU core\n", host / device);
}

}  // namespace

int main() {
  return examples::run(filter_bank);
}
