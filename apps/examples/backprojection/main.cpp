#include <optional>

#include "apps/examples/backprojection/on_host.hpp"
#include "apps/examples/example.hpp"
#include "core/cuda/texture.hpp"
#include "rtcg/array/device_array.hpp"

/// Filtered backprojection: an image of n x n pixels from its sums along n parallel rays of n views. Size and
/// directions are compiled in; textures interpolate between rays where the hardware has them. Named as an application
/// in Kloeckner et al., PyCUDA and PyOpenCL, 2012.
namespace {

using namespace maxwell_dg;

constexpr const char* kText = R"(
CONSTANT float32 cosine[] = {${join([literal(c, 'float32') for c in cosines], ', ')}};
CONSTANT float32 sine[] = {${join([literal(s, 'float32') for s in sines], ', ')}};

KERNEL void GROUP_LIMIT(16, 16, 1) project(GLOBAL float32* RESTRICT image, ${rays_type} rays) {
% set center = literal((n - 1) / 2, 'float32')
  const float32 x = GLOBAL_ID(0) - ${center}, y = GLOBAL_ID(1) - ${center};
  float32 sum = 0.0f;
  for (int32 view = 0; view < ${len(sines)}; ++view) {
    const float32 at = x * cosine[view] + y * sine[view] + ${center};
    if (at < 0.0f || at > ${n - 1}) continue;
% if rays_type == 'cudaTextureObject_t':
    sum += tex2D<float>(rays, at + 0.5f, view + 0.5f);
% else:
    const int32 ray = min((int32)at, ${n - 2});
    sum += rays[view * ${n} + ray] + (at - ray) * (rays[view * ${n} + ray + 1] - rays[view * ${n} + ray]);
% endif
  }
  image[GLOBAL_ID(1) * ${n} + GLOBAL_ID(0)] = sum / ${len(sines)};
}
)";

void backprojection(const rtcg::Context& context) {
  const int n = examples::size_for(context, 128, 512);
  const examples::Scan scan = examples::filtered_scan_of_disc(n, n);
  std::vector<float> expected;
  const double host = examples::host_seconds([&] { expected = examples::backprojected(scan); });

  const rtcg::DeviceArray image = empty(context, {n, n}, Dtype::float32), rays = to_device(context, scan.rays);
  core::KernelArgument source = rays.buffer();
  std::string rays_type = "GLOBAL const float32* RESTRICT";
  double tolerance = 1e-5;
#if MAXWELL_DG_HAVE_CUDA
  std::optional<core::cuda::Texture> texture;
  if (context.device().info().backend == core::Backend::cuda) {
    const core::cuda::Array texels(context.device(), {.width = std::size_t(n), .height = scan.sines.size()});
    texels.write(context.stream(), std::as_bytes(std::span(scan.rays)));
    texture.emplace(texels, core::cuda::TextureOptions{.filter = core::cuda::FilterMode::linear});
    source = texture->argument();
    rays_type = "cudaTextureObject_t";
    tolerance = 5e-3;  // the hardware's weights have 8 bits behind the point
  }
#endif
  const core::Kernel kernel =
      examples::kernel_of(context, "project", kText,
                          {{"n", n},
                           {"rays_type", rays_type},
                           {"cosines", rtcg::Value::List(scan.cosines.begin(), scan.cosines.end())},
                           {"sines", rtcg::Value::List(scan.sines.begin(), scan.sines.end())}});
  const auto groups = static_cast<std::size_t>(n / 16);
  const double device = examples::launch_seconds(
      context, kernel, {.groups = {groups, groups, 1}, .group_size = {16, 16, 1}}, {image.buffer(), source});

  const std::vector<float> found = image.to_vector<float>();
  examples::require_close(found, expected, tolerance, "image");
  const double inside = found[n / 2 * n + n * 3 / 5], outside = found[n / 8 * n + n / 2];
  std::printf("density %.3f inside of the disc, %.3f outside\n", inside, outside);
  examples::require(std::abs(inside - 1) < 0.02 && std::abs(outside) < 0.02, "the disc does not have density 1");
  examples::print_speed_up(host, device);
}

}  // namespace

int main() {
  return examples::run(backprojection);
}
