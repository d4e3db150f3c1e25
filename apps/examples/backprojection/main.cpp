#include <array>
#include <cstdio>
#include <numbers>

#include "apps/examples/example.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/source/literal.hpp"
#include "rtcg/source/template.hpp"
#include "rtcg/tune/measure.hpp"

/// Filtered backprojection: an image from its sums along parallel rays. Size and angles are compiled in. Application
/// named in Kloeckner et al., PyCUDA and PyOpenCL, 2012; the discrete filter is that of Ramachandran and
/// Lakshminarayanan.
namespace {

using namespace maxwell_dg;

constexpr int kPixels = 128;  // also rays of a view
constexpr int kViews = 90;
constexpr int kGroup = 16;

// Rays are interpolated between their neighbours; the table of directions is part of the text.
constexpr const char* kText = R"(
CONSTANT float32 cosine[${len(views)}] = {${join([literal(v.cosine, 'float32') for v in views], ', ')}};
CONSTANT float32 sine[${len(views)}] = {${join([literal(v.sine, 'float32') for v in views], ', ')}};

KERNEL void GROUP_LIMIT(${group}, ${group}, 1) project(GLOBAL float32* RESTRICT image,
                                                       GLOBAL const float32* RESTRICT rays) {
  const int32 column = (int32)GLOBAL_ID(0), row = (int32)GLOBAL_ID(1);
  const float32 x = column - ${center}, y = row - ${center};
  float32 sum = 0.0f;
  for (int32 view = 0; view < ${len(views)}; ++view) {
    const float32 at = x * cosine[view] + y * sine[view] + ${center};
    const int32 ray = (int32)floor(at);
    if (ray < 0 || ray >= ${n - 1}) continue;
    const float32 part = at - ray;
    sum += (1.0f - part) * rays[view * ${n} + ray] + part * rays[view * ${n} + ray + 1];
  }
  image[row * ${n} + column] = sum * ${weight};
}
)";

constexpr float kCenter = 0.5F * (kPixels - 1);
constexpr double kRadius = 40;

double angle(int view) {
  return std::numbers::pi * view / kViews;
}

/// Of a disc of density 1 beside the center, filtered along the rays.
std::vector<float> filtered_rays() {
  std::vector<float> rays(std::size_t{kViews} * kPixels);
  for (int view = 0; view < kViews; ++view) {
    std::array<double, kPixels> chord{};
    const double middle = 12 * std::cos(angle(view)) - 5 * std::sin(angle(view)) + kCenter;
    for (int ray = 0; ray < kPixels; ++ray) {
      chord[ray] = 2 * std::sqrt(std::max(0.0, kRadius * kRadius - (ray - middle) * (ray - middle)));
    }
    for (int ray = 0; ray < kPixels; ++ray) {
      double sum = chord[ray] / 4;
      for (int other = 0; other < kPixels; ++other) {
        const double gap = (ray - other) * std::numbers::pi;
        if ((ray - other) % 2 != 0) sum -= chord[other] / (gap * gap);
      }
      rays[view * kPixels + ray] = static_cast<float>(sum);
    }
  }
  return rays;
}

std::vector<float> image_on_host(const std::vector<float>& rays) {
  std::vector<float> image(std::size_t{kPixels} * kPixels);
  std::array<std::array<float, 2>, kViews> direction{};
  for (int view = 0; view < kViews; ++view) {
    direction[view] = {static_cast<float>(std::cos(angle(view))), static_cast<float>(std::sin(angle(view)))};
  }
  for (int pixel = 0; pixel < kPixels * kPixels; ++pixel) {
    const float x = static_cast<float>(pixel % kPixels) - kCenter;
    const float y = static_cast<float>(pixel / kPixels) - kCenter;
    float sum = 0;
    for (int view = 0; view < kViews; ++view) {
      const float at = x * direction[view][0] + y * direction[view][1] + kCenter;
      const int ray = static_cast<int>(std::floor(at));
      if (ray < 0 || ray >= kPixels - 1) continue;
      const float part = at - static_cast<float>(ray);
      sum += (1 - part) * rays[view * kPixels + ray] + part * rays[view * kPixels + ray + 1];
    }
    image[pixel] = sum * static_cast<float>(std::numbers::pi / kViews);
  }
  return image;
}

std::string text() {
  rtcg::Value::List views;
  for (int view = 0; view < kViews; ++view) {
    views.push_back(rtcg::Record{{"cosine", std::cos(angle(view))}, {"sine", std::sin(angle(view))}});
  }
  return rtcg::Template("backprojection.kernel", kText)
      .render({{"views", views},
               {"n", kPixels},
               {"group", kGroup},
               {"center", rtcg::literal(kCenter, Dtype::float32)},
               {"weight", rtcg::literal(std::numbers::pi / kViews, Dtype::float32)}});
}

void backprojection(const rtcg::Context& context) {
  const std::vector<float> rays = filtered_rays();
  std::vector<float> expected;
  const double host = examples::host_seconds([&] { expected = image_on_host(rays); });

  const rtcg::DeviceArray rays_device = to_device(context, rays);
  const rtcg::DeviceArray image = empty(context, {kPixels, kPixels}, Dtype::float32);
  const core::Kernel kernel =
      context.compiler().compile({.name = "backprojection.kernel", .text = text()}).kernel("project");
  const double device = rtcg::measure_seconds(context.stream(), [&] {
    kernel.launch(context.stream(),
                  {.groups = {kPixels / kGroup, kPixels / kGroup, 1}, .group_size = {kGroup, kGroup, 1}},
                  {image.buffer(), rays_device.buffer()});
  });
  const std::vector<float> found = image.to_vector<float>();
  examples::require_close(found, expected, 1e-4, "image");
  const float inside = found[58 * kPixels + 75];  // the middle of the disc
  examples::require(std::abs(inside - 1) < 0.05F, "the disc's density is " + std::to_string(inside) + ", not 1");
  std::printf("density %.3f inside of the disc, %.3f outside\n", static_cast<double>(inside),
              static_cast<double>(found[10 * kPixels + 64]));
  std::printf("%.1f times as fast as one CPU core, without interpolation by textures\n", host / device);
}

}  // namespace

int main() {
  return examples::run(backprojection);
}
