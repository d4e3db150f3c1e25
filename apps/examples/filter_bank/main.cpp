#include "apps/examples/example.hpp"
#include "apps/examples/filter_bank/on_host.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/tune/tuner.hpp"

/// A bank of filters over an image of several channels: a 3D convolution whose sizes and unrolling are compiled in, and
/// whose fastest form is looked for. The idea of tuning it per input is that of Pinto et al., filter-bank correlation.
namespace {

using namespace maxwell_dg;

// A work-item computes ${each} filters at one pixel, so that what it reads of the image serves all of them.
constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(${group}, 1, 1) filter_bank(GLOBAL float32* RESTRICT out, GLOBAL const float32* RESTRICT image,
                                                    GLOBAL const float32* RESTRICT filters) {
  const int32 x = (int32)GLOBAL_ID(0), y = GROUP_ID(1), first = GROUP_ID(2) * ${each};
% set taps = channels * width * width
% set row = edge + width - 1
% for f in range(each):
  float32 sum${f} = 0.0f;
% endfor
% for tap in range(taps):
% set from = (tap // (width * width) * row + tap // width % width) * row + tap % width
  const float32 pixel${tap} = image[y * ${row} + x + ${from}];
% for f in range(each):
  sum${f} = fma(pixel${tap}, filters[first * ${taps} + ${f * taps + tap}], sum${f});
% endfor
% endfor
% for f in range(each):
  out[((first + ${f}) * ${edge} + y) * ${edge} + x] = sum${f};
% endfor
}
)";

void filter_bank(const rtcg::Context& context) {
  const examples::FilterBank bank{
      .edge = examples::size_for(context, 128, 1024), .channels = 3, .filters = 8, .width = 3};
  const std::vector<float> image = examples::noise(bank.image_size(), 1), filters = examples::noise(bank.taps(), 2);
  std::vector<float> expected;
  const double host = examples::host_seconds([&] { expected = examples::filtered(bank, image, filters); });

  const rtcg::DeviceArray image_device = to_device(context, image), filters_device = to_device(context, filters);
  const rtcg::DeviceArray out = empty(context, {bank.filters, bank.edge, bank.edge}, Dtype::float32);
  context.stream().synchronize();

  rtcg::TuningProblem problem{
      .question = "filter bank",
      .shape = {{"edge", bank.edge}, {"channels", bank.channels}, {"width", bank.width}, {"filters", bank.filters}},
      .code = kText};
  problem.space.add("group", {32, 128}).add("each", {1, 4});
  problem.candidate = [&](const rtcg::Configuration& configuration) {
    rtcg::Record values = configuration;
    values.insert({{"edge", bank.edge}, {"channels", bank.channels}, {"width", bank.width}});
    const auto group = static_cast<std::size_t>(configuration.at("group").integer());
    const auto blocks = static_cast<std::size_t>(bank.filters / configuration.at("each").integer());
    const auto edge = static_cast<std::size_t>(bank.edge);
    const rtcg::Template text("filter_bank.kernel", kText);
    return rtcg::Candidate{.source = {.name = text.name(), .text = text.render(values)},
                           .kernel = "filter_bank",
                           .shape = {.groups = {edge / group, edge, blocks}, .group_size = {group, 1, 1}},
                           .arguments = {out.buffer(), image_device.buffer(), filters_device.buffer()}};
  };
  problem.prepare = [&](const core::Stream& stream) { stream.fill_zero(out.buffer()); };
  problem.verify = [&](const core::Stream&) { return examples::difference(out.to_vector<float>(), expected, 1e-5); };
  const rtcg::TuningResult result =
      rtcg::Tuner(context.compiler()).tune(problem, {.search = rtcg::SearchKind::exhaustive, .seconds = 2});

  const rtcg::Candidate best = problem.candidate(result.best);
  const core::Kernel kernel = context.compiler().compile(best.source).kernel(best.kernel);
  const double device = examples::launch_seconds(context, kernel, best.shape, best.arguments);
  examples::require_close(out.to_vector<float>(), expected, 1e-5, "out");
  std::printf("%s", table_text(result).c_str());
  examples::print_speed_up(host, device);
}

}  // namespace

int main() {
  return examples::run(filter_bank);
}
