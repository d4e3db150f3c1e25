#include "apps/examples/example.hpp"
#include "core/cuda/texture.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/source/substitute.hpp"

/// A matrix transposed naively (writes far apart), by tiles in shared memory, and, where the hardware has textures,
/// with reads through one.
namespace {

using namespace maxwell_dg;

constexpr int kTile = 16;

// One more column in shared memory than the tile has: a column's elements lie in different banks.
constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) naive(GLOBAL float32* RESTRICT to, GLOBAL const float32* RESTRICT from) {
  to[GLOBAL_ID(0) * ${n} + GLOBAL_ID(1)] = from[GLOBAL_ID(1) * ${n} + GLOBAL_ID(0)];
}

KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) shared(GLOBAL float32* RESTRICT to, GLOBAL const float32* RESTRICT from) {
  SHARED float32 part[${tile}][${tile} + 1];
  const int32 x = LOCAL_ID(0), y = LOCAL_ID(1);
  part[y][x] = from[GLOBAL_ID(1) * ${n} + GLOBAL_ID(0)];
  BARRIER();
  to[(GROUP_ID(0) * ${tile} + y) * ${n} + GROUP_ID(1) * ${tile} + x] = part[x][y];
}

#ifdef CUDA_DIALECT
KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) textured(float32* RESTRICT to, cudaTextureObject_t from) {
  to[GLOBAL_ID(1) * ${n} + GLOBAL_ID(0)] = tex2D<float>(from, GLOBAL_ID(1) + 0.5f, GLOBAL_ID(0) + 0.5f);
}
#endif
)";

void matrix_transpose(const rtcg::Context& context) {
  const auto n = static_cast<std::size_t>(examples::size_for(context, 1024, 8192));
  const std::vector<float> from = examples::noise(n * n);
  std::vector<float> expected(from.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) expected[j * n + i] = from[i * n + j];
  }
  const rtcg::DeviceArray from_device = to_device(context, from);
  const rtcg::DeviceArray to_device = empty(context, from_device.shape(), Dtype::float32);
  const core::Module module = context.compiler().compile(
      {.name = "transpose.kernel",
       .text = rtcg::substitute(kText, {{"n", std::to_string(n)}, {"tile", std::to_string(kTile)}})});

  const auto report = [&](const std::string& name, const core::KernelArgument& source) {
    const core::Kernel kernel = module.kernel(name);
    to_device.fill(0);
    const double seconds = examples::launch_seconds(
        context, kernel, {.groups = {n / kTile, n / kTile, 1}, .group_size = {kTile, kTile, 1}},
        {to_device.buffer(), source});
    examples::require(to_device.to_vector<float>() == expected, name + ": not the transposed matrix");
    std::printf("%-8s %8.2f GB/s\n", name.c_str(), 2e-9 * static_cast<double>(from_device.size_bytes()) / seconds);
  };
  report("naive", from_device.buffer());
  report("shared", from_device.buffer());
#if MAXWELL_DG_HAVE_CUDA
  if (context.device().info().backend == core::Backend::cuda) {
    const core::cuda::Array texels(context.device(), {.width = n, .height = n});
    texels.write(context.stream(), std::as_bytes(std::span(from)));
    report("textured", core::cuda::Texture(texels, {}).argument());
    return;
  }
#endif
  std::printf("textured skipped: cudaTextureObject_t needs a CUDA device, this one is driven by OpenCL\n");
}

}  // namespace

int main() {
  return examples::run(matrix_transpose);
}
