#include "apps/examples/example.hpp"
#include "apps/examples/k_means/on_host.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/totals.hpp"
#include "rtcg/loop/loop_kernel.hpp"

/// An image segmented: brightness grouped by k-means, whose centers are compiled in at every round, and the edges
/// between the segments by a stencil that is made from a small expression.
namespace {

using namespace maxwell_dg;
using examples::Centers;
using rtcg::DeviceArray;

constexpr std::int64_t kEdge = 64;
// The label is compared with literals.
constexpr const char* kText = R"(
float32 least = INFINITY;
% for c, center in enumerate(centers):
% set distance = 'fabs(x[i] - ' + literal(center, 'float32') + ')'
if (${distance} < least) {
  least = ${distance};
  label[i] = ${c};
}
% endfor
)";

void label(const DeviceArray& image, const Centers& centers, const DeviceArray& labels) {
  const rtcg::Template text("nearest_center.kernel", kText);
  const std::string operation = text.render({{"centers", rtcg::Value::List(centers.begin(), centers.end())}});
  rtcg::ElementwiseKernel({.arguments = "const float32* x, float32* label", .operation = operation})(image, labels);
}

/// The mean of each segment.
Centers means(const DeviceArray& image, const DeviceArray& labels) {
  Centers centers{};
  for (std::size_t c = 0; c < centers.size(); ++c) {
    const rtcg::Lazy member = rtcg::lazy(labels) == static_cast<float>(c);
    centers[c] = sum(where(member, rtcg::lazy(image), 0.0F)).item<float>() /
                 static_cast<float>(count_nonzero(member).item<std::int64_t>());
  }
  return centers;
}

void k_means(const rtcg::Context& context) {
  const std::vector<float> image = examples::three_bands(kEdge);
  const DeviceArray image_device = to_device(context, image), labels = empty(context, {kEdge * kEdge}, Dtype::float32);
  Centers centers{0.3F, 0.6F, 1.8F}, expected = centers;
  std::vector<float> labels_expected;
  for (int round = 0; round < 2; ++round) {
    label(image_device, centers, labels);
    labels_expected = examples::labels_on_host(image, expected);
    examples::require(labels.to_vector<float>() == labels_expected, "the segments are not the host's");
    centers = means(image_device, labels);
    expected = examples::means_on_host(image, labels_expected);
    for (std::size_t c = 0; c < centers.size(); ++c) {
      examples::require(std::abs(centers[c] - expected[c]) < 1e-5F, "a center is not the host's");
    }
  }
  std::printf("centers %.3f %.3f %.3f\n", double(centers[0]), double(centers[1]), double(centers[2]));

  const rtcg::LoopKernel edges(
      context.compiler(),
      {.name = "edges",
       .dimensions = {{"i", kEdge - 2}, {"j", kEdge - 2}},
       .arrays = {{"out", {kEdge, kEdge}}, {"in", {kEdge, kEdge}}},
       .assignment = "out[i+1, j+1] = 4 * in[i+1, j+1] - in[i, j+1] - in[i+2, j+1] - in[i+1, j] - in[i+1, j+2]"},
      {.tuning = {.most_candidates = 2}});
  const DeviceArray found = zeros(context, {kEdge * kEdge}, Dtype::float32);
  edges(context.stream(), std::vector{found.buffer(), labels.buffer()});
  examples::require(found.to_vector<float>() == examples::edges_on_host(labels_expected, kEdge),
                    "the edges are not the host's");
}

}  // namespace

int main() {
  return examples::run(k_means);
}
