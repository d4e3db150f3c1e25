#include "apps/rtcg_bench/bench.hpp"
#include "apps/rtcg_bench/cublas_peer.hpp"
#include "apps/rtcg_bench/host_loops.hpp"
#include "apps/rtcg_bench/timing.hpp"
#include "rtcg/array/random/random.hpp"
#include "rtcg/loop/loop_kernel.hpp"

namespace maxwell_dg::bench {

// The machine is told the product alone, and how long it may look for a fast kernel.
void run_products(const Setting& setting, const Report& report) {
  const rtcg::Context& context = setting.context;
  const std::int64_t n = setting.rows;
  const rtcg::LoopKernel product(
      context.compiler(),
      {.name = "product",
       .dimensions = {{"i", n}, {"j", n}, {"k", n}},
       .arrays = {{"C", {n, n}}, {"A", {n, n}}, {"B", {n, n}}},
       .assignment = "C[i, j] = sum(k, A[i, k] * B[k, j])"},
      {.tuning = {.seconds = setting.tuning_seconds, .most_candidates = setting.tuning_seconds > 0 ? 1000U : 1U}});
  rtcg::RandomGenerator generator(context, {.seed = 1});
  const rtcg::DeviceArray a = generator.uniform({n, n}, Dtype::float32), b = generator.uniform({n, n}, Dtype::float32),
                          c = rtcg::empty(context, {n, n}, Dtype::float32);
  const std::vector<core::Buffer> buffers{c.buffer(), a.buffer(), b.buffer()};
  const std::vector<float> a_host = a.to_vector<float>(), b_host = b.to_vector<float>();
  std::vector<float> c_host(a_host.size());
  const InTurns seconds = seconds_in_turns(
      context.stream(), [&] { product(context.stream(), buffers); },
      [&] { host::matrix_product(n, a_host, b_host, c_host); }, 3);

  const double operations = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  Answer answer{.name = "matrix product, float32", .size = n * n, .seconds = seconds.device, .host = seconds.host};
  if (setting.ceilings.fma_gflops_single > 0) answer.limit = operations / (0.5e9 * setting.ceilings.fma_gflops_single);
  answer.peer = cublas_seconds(a, b, c);
  char text[64];
  std::snprintf(text, sizeof text, "%.0f GFLOP/s, limit: half of FMA%s; ", 1e-9 * operations / seconds.device,
                answer.peer ? ", peer: cuBLAS" : "");
  answer.remark = text + written(product.configuration());
  report(answer);
}

}  // namespace maxwell_dg::bench
