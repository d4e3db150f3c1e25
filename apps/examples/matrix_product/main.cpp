#include <cstdint>
#include <cstdio>
#include <functional>

#include "apps/examples/example.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/loop/loop_kernel.hpp"
#include "rtcg/source/template.hpp"
#include "rtcg/tune/measure.hpp"

/// C = A B three ways: a work-item an element; tiles in shared memory; and a loop nest whose fastest form is looked
/// for.
namespace {

using namespace maxwell_dg;

constexpr int kSize = 128;
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
  SHARED float32 a_tile[${tile}][${tile}];
  SHARED float32 b_tile[${tile}][${tile}];
  const int32 row = (int32)GLOBAL_ID(1), column = (int32)GLOBAL_ID(0);
  const int32 y = LOCAL_ID(1), x = LOCAL_ID(0);
  float32 sum = 0.0f;
  for (int32 first = 0; first < ${n}; first += ${tile}) {
    a_tile[y][x] = a[row * ${n} + first + x];
    b_tile[y][x] = b[(first + y) * ${n} + column];
    BARRIER();
% for k in range(tile):
    sum += a_tile[y][${k}] * b_tile[${k}][x];
% endfor
    BARRIER();
  }
  c[row * ${n} + column] = sum;
}
)";

std::vector<float> product_on_host(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(a.size());
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t k = 0; k < kSize; ++k) {
      for (std::size_t j = 0; j < kSize; ++j) c[i * kSize + j] += a[i * kSize + k] * b[k * kSize + j];
    }
  }
  return c;
}

void matrix_product(const rtcg::Context& context) {
  const std::vector<float> a = examples::noise(std::size_t{kSize} * kSize, 1);
  const std::vector<float> b = examples::noise(std::size_t{kSize} * kSize, 2);
  const std::vector<float> expected = product_on_host(a, b);
  const rtcg::DeviceArray a_device = to_device(context, a);
  const rtcg::DeviceArray b_device = to_device(context, b);
  const rtcg::DeviceArray c_device = empty(context, {kSize, kSize}, Dtype::float32);
  const std::vector<core::Buffer> buffers{c_device.buffer(), a_device.buffer(), b_device.buffer()};

  const auto report = [&](const std::string& name, const std::function<void()>& enqueue) {
    c_device.fill(0);
    enqueue();
    examples::require_close(c_device.to_vector<float>(), expected, 1e-5, name + ": C");
    const double seconds = rtcg::measure_seconds(context.stream(), enqueue);
    std::printf("%-8s %8.2f GFLOP/s\n", name.c_str(), 2.0 * kSize * kSize * kSize / seconds * 1e-9);
  };
  const core::Module module = context.compiler().compile(
      {.name = "product.kernel",
       .text = rtcg::Template("product.kernel", kText).render({{"n", kSize}, {"tile", kTile}})});
  for (const std::string name : {"simple", "tiled"}) {
    const core::Kernel kernel = module.kernel(name);
    report(name, [&] {
      kernel.launch(context.stream(), {.groups = {kSize / kTile, kSize / kTile, 1}, .group_size = {kTile, kTile, 1}},
                    {buffers[0], buffers[1], buffers[2]});
    });
  }
  const rtcg::LoopKernel tuned(context.compiler(),
                               {.name = "product",
                                .dimensions = {{"i", kSize}, {"j", kSize}, {"k", kSize}},
                                .arrays = {{"C", {kSize, kSize}}, {"A", {kSize, kSize}}, {"B", {kSize, kSize}}},
                                .assignment = "C[i, j] = sum(k, A[i, k] * B[k, j])"},
                               {.tuning = {.seconds = 0.5, .most_candidates = 2}});
  report("tuned", [&] { tuned(context.stream(), buffers); });
  std::printf("         with %s\n", rtcg::written(tuned.configuration()).c_str());
}

}  // namespace

int main() {
  return examples::run(matrix_product);
}
