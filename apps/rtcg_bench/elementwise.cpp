#include "apps/rtcg_bench/bench.hpp"
#include "apps/rtcg_bench/cub_peer.hpp"
#include "apps/rtcg_bench/cupy_peer.hpp"
#include "apps/rtcg_bench/host_loops.hpp"
#include "apps/rtcg_bench/timing.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/totals.hpp"

namespace maxwell_dg::bench {

void run_elementwise(const Setting& setting, const Report& report) {
  const std::int64_t n = setting.elements;
  const rtcg::Context& context = setting.context;
  const std::map<std::string, double> cupy = cupy_seconds(context, n);
  const rtcg::DeviceArray x = rtcg::ones(context, {n}, Dtype::float32), y = rtcg::ones(context, {n}, Dtype::float32);
  const rtcg::DeviceArray z = rtcg::zeros(context, {n}, Dtype::float32);
  std::vector<float> a(static_cast<std::size_t>(n), 1.0F), b = a, c(a.size(), 0.0F);

  // `bytes` are those that move for each of the elements.
  const auto time = [&](const char* name, std::int64_t size, double bytes, const std::function<void()>& enqueue,
                        const std::function<void()>& on_host) {
    const auto [seconds, host] = seconds_in_turns(context.stream(), enqueue, on_host);
    Answer answer = answer_of(name, size, seconds, bytes);
    answer.host = host;
    if (const auto found = cupy.find(name); found != cupy.end()) {
      answer.peer = found->second;
      answer.remark = "peer: CuPy";
    }
    if (std::string_view(name) == "sum") {
      if (const auto cub = cub::sum_seconds(x)) {
        answer.remark = "peer: CUB";
        answer.peer = cub;
      }
    }
    report(answer);
  };

  const rtcg::ElementwiseKernel combine(
      {.arguments = "float32 a, const float32* x, float32 b, const float32* y, float32* z",
       .operation = "z[i] = a * x[i] + b * y[i]",
       .name = "linear_combination"});
  time(
      "linear combination", n, 12, [&] { combine(2.0, x, 3.0, y, z); },
      [&] { host::linear_combination(2, a, 3, b, c); });
  time(
      "fill", n, 4, [&] { z.fill(1.5); }, [&] { host::fill(1.5F, c); });
  const rtcg::DeviceArray every_second = x(rtcg::Slice{.step = 2}), dense = z(rtcg::Slice{0, every_second.size()});
  // Lines of memory that hold every second element are read as a whole: 8 bytes in, 4 out.
  time(
      "copy, stride 2", every_second.size(), 12, [&] { dense.assign(every_second); },
      [&] { host::copy_every_second(a, std::span(c).first(a.size() / 2)); });
  volatile float kept = 0;
  time(
      "sum", n, 4, [&] { (void)rtcg::sum(x); }, [&] { kept = host::sum(a); });
  time(
      "dot", n, 8, [&] { (void)rtcg::dot(x, y); }, [&] { kept = host::dot(a, b); });
}

}  // namespace maxwell_dg::bench
