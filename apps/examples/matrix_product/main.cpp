#include "apps/examples/example.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/loop/loop_kernel.hpp"

/// C = A B three ways: an element a work-item; tiles in shared memory; a loop nest whose fastest form is looked for.
namespace {

using namespace maxwell_dg;

constexpr int kTile = 16;
constexpr const char* kText = R"(
#define ARGUMENTS GLOBAL float32* RESTRICT c, GLOBAL const float32* RESTRICT a, GLOBAL const float32* RESTRICT b

KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) simple(ARGUMENTS) {
  const int32 row = (int32)GLOBAL_ID(1), column = (int32)GLOBAL_ID(0);
  float32 sum = 0.0f;
  for (int32 k = 0; k < ${n}; ++k) sum += a[row * ${n} + k] * b[k * ${n} + column];
  c[row * ${n} + column] = sum;
}

KERNEL void GROUP_LIMIT(${tile}, ${tile}, 1) tiled(ARGUMENTS) {
  SHARED float32 a_tile[${tile}][${tile}], b_tile[${tile}][${tile}];
  const int32 row = (int32)GLOBAL_ID(1), column = (int32)GLOBAL_ID(0), y = LOCAL_ID(1), x = LOCAL_ID(0);
  float32 sum = 0.0f;
  for (int32 first = 0; first < ${n}; first += ${tile}) {
    a_tile[y][x] = a[row * ${n} + first + x];
    b_tile[y][x] = b[(first + y) * ${n} + column];
    BARRIER();
    UNROLL for (int32 k = 0; k < ${tile}; ++k) sum += a_tile[y][k] * b_tile[k][x];
    BARRIER();
  }
  c[row * ${n} + column] = sum;
}
)";

std::vector<float> product_on_host(const std::vector<float>& a, const std::vector<float>& b, std::size_t n) {
  std::vector<float> c(n * n);
  for (std::size_t at = 0; at < n * n; ++at) {
    for (std::size_t j = 0; j < n; ++j) c[at / n * n + j] += a[at] * b[at % n * n + j];
  }
  return c;
}

void matrix_product(const rtcg::Context& context) {
  const int n = examples::size_for(context, 128, 1024);
  const auto size = static_cast<std::size_t>(n);
  const std::vector<float> a = examples::noise(size * size, 1), b = examples::noise(size * size, 2),
                           expected = product_on_host(a, b, size);
  const rtcg::DeviceArray a_device = to_device(context, a), b_device = to_device(context, b);
  const rtcg::DeviceArray c_device = zeros(context, {n, n}, Dtype::float32);
  const auto report = [&](const std::string& name, double seconds) {
    examples::require_close(c_device.to_vector<float>(), expected, 1e-5, name + ": C");
    std::printf("%-8s %8.2f GFLOP/s\n", name.c_str(), 2.0 * n * n * n / seconds * 1e-9);
    c_device.fill(0);
  };

  const rtcg::Template text("product.kernel", kText);
  const core::Module module =
      context.compiler().compile({.name = text.name(), .text = text.render({{"n", n}, {"tile", kTile}})});
  for (const std::string name : {"simple", "tiled"}) {
    const core::LaunchShape shape{.groups = {size / kTile, size / kTile, 1}, .group_size = {kTile, kTile, 1}};
    report(name, examples::launch_seconds(context, module.kernel(name), shape,
                                          {c_device.buffer(), a_device.buffer(), b_device.buffer()}));
  }
  const rtcg::LoopKernel tuned(context.compiler(),
                               {.name = "product",
                                .dimensions = {{"i", n}, {"j", n}, {"k", n}},
                                .arrays = {{"C", {n, n}}, {"A", {n, n}}, {"B", {n, n}}},
                                .assignment = "C[i, j] = sum(k, A[i, k] * B[k, j])"},
                               {.tuning = {.seconds = 10, .most_candidates = n < 1024 ? 2U : 50U}});
  const std::vector<core::Buffer> buffers{c_device.buffer(), a_device.buffer(), b_device.buffer()};
  report("tuned", rtcg::measure_seconds(context.stream(), [&] { tuned(context.stream(), buffers); }));
  std::printf("         with %s\n", written(tuned.configuration()).c_str());
}

}  // namespace

int main() {
  return examples::run(matrix_product);
}
