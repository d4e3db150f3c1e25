#include <array>
#include <cstdint>
#include <cstdio>

#include "apps/examples/example.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/loop/loop_kernel.hpp"
#include "rtcg/source/literal.hpp"

/// An image segmented: brightness grouped by k-means, whose centers are compiled in at every round, and the edges
/// between the segments by a stencil that is made from a small expression.
namespace {

using namespace maxwell_dg;
using rtcg::DeviceArray;

constexpr std::int64_t kEdge = 64;
constexpr int kRounds = 4;
using Centers = std::array<float, 3>;

/// Three bright bands, with noise.
std::vector<float> picture() {
  std::vector<float> image = examples::noise(kEdge * kEdge);
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] = 0.2F * image[i] + static_cast<float>(3 * (i % kEdge) / kEdge);
  }
  return image;
}

/// The number of the nearest center, as a kernel that compares with literals.
rtcg::ElementwiseKernel nearest_center(const Centers& centers) {
  std::string text = "float32 least = INFINITY;\nlabel[i] = 0;\n";
  for (std::size_t c = 0; c < centers.size(); ++c) {
    const std::string distance = "fabs(x[i] - " + rtcg::literal(static_cast<double>(centers[c]), Dtype::float32) + ")";
    text += "if (" + distance + " < least) { least = " + distance + "; label[i] = " + std::to_string(c) + "; }\n";
  }
  return rtcg::ElementwiseKernel({.arguments = "const float32* x, float32* label", .operation = text});
}

std::vector<float> labels_on_host(const std::vector<float>& image, const Centers& centers) {
  std::vector<float> labels;
  for (const float value : image) {
    std::size_t nearest = 0;
    for (std::size_t c = 1; c < centers.size(); ++c) {
      if (std::abs(value - centers[c]) < std::abs(value - centers[nearest])) nearest = c;
    }
    labels.push_back(static_cast<float>(nearest));
  }
  return labels;
}

/// The mean of each segment; an empty one stays where it was.
Centers means(const std::vector<float>& image, const std::vector<float>& labels, Centers centers) {
  for (std::size_t c = 0; c < centers.size(); ++c) {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < image.size(); ++i) {
      if (labels[i] != static_cast<float>(c)) continue;
      sum += static_cast<double>(image[i]);
      ++count;
    }
    if (count > 0) centers[c] = static_cast<float>(sum / count);
  }
  return centers;
}

void k_means(const rtcg::Context& context) {
  const std::vector<float> image = picture();
  const DeviceArray image_device = to_device(context, image);
  const DeviceArray labels = empty(context, {kEdge * kEdge}, Dtype::float32);
  Centers centers{0.3F, 0.6F, 1.8F};
  std::vector<float> found;
  for (int round = 0; round < kRounds; ++round) {
    nearest_center(centers)(image_device, labels);
    found = labels.to_vector<float>();
    examples::require(found == labels_on_host(image, centers), "the segments are not the host's");
    centers = means(image, found, centers);
  }
  for (std::size_t c = 0; c < centers.size(); ++c) {
    examples::require(std::abs(centers[c] - static_cast<float>(c)) < 0.05F, "a center is not at its band");
  }

  const rtcg::LoopKernel edges(
      context.compiler(),
      {.name = "edges",
       .dimensions = {{"i", kEdge - 2}, {"j", kEdge - 2}},
       .arrays = {{"out", {kEdge, kEdge}}, {"in", {kEdge, kEdge}}},
       .assignment = "out[i+1, j+1] = 4 * in[i+1, j+1] - in[i, j+1] - in[i+2, j+1] - in[i+1, j] - in[i+1, j+2]"},
      {.tuning = {.seconds = 0.5, .most_candidates = 2}});
  const DeviceArray edge = zeros(context, {kEdge * kEdge}, Dtype::float32);
  edges(context.stream(), std::vector{edge.buffer(), labels.buffer()});
  std::vector<float> expected(image.size());
  for (std::size_t at = kEdge; at < image.size() - kEdge; ++at) {
    if (at % kEdge == 0 || at % kEdge == kEdge - 1) continue;
    expected[at] = 4 * found[at] - found[at - kEdge] - found[at + kEdge] - found[at - 1] - found[at + 1];
  }
  examples::require(edge.to_vector<float>() == expected, "the edges are not the host's");
  std::printf("centers %.3f %.3f %.3f\n", static_cast<double>(centers[0]), static_cast<double>(centers[1]),
              static_cast<double>(centers[2]));
}

}  // namespace

int main() {
  return examples::run(k_means);
}
