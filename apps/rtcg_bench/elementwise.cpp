#include "apps/rtcg_bench/bench.hpp"
#include "apps/rtcg_bench/host_loops.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/totals.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

namespace {

constexpr double giga = 1e9;

/// Times an operation that moves `bytes` for each of the elements.
class Timer {
 public:
  Timer(const Setting& setting, const Report& report) : setting_(setting), report_(report) {}

  void time(const char* name, std::int64_t size, double bytes, const std::function<void()>& enqueue,
            const std::function<void()>& on_host) const {
    const double seconds = rtcg::measure_seconds(setting_.context.stream(), enqueue);
    const auto count = static_cast<double>(size);
    report_({.name = name,
             .size = size,
             .seconds = seconds,
             .gb_per_second = bytes * count / seconds / giga,
             .rate = count / seconds,
             .host = host::median_seconds(on_host)});
  }

 private:
  const Setting& setting_;
  const Report& report_;
};

}  // namespace

void run_elementwise(const Setting& setting, const Report& report) {
  const std::int64_t n = setting.elements;
  const rtcg::Context& context = setting.context;
  const rtcg::DeviceArray x = rtcg::ones(context, {n}, Dtype::float32), y = rtcg::ones(context, {n}, Dtype::float32);
  const rtcg::DeviceArray z = rtcg::zeros(context, {n}, Dtype::float32);
  std::vector<float> a(static_cast<std::size_t>(n), 1.0F), b = a, c(a.size(), 0.0F);
  const rtcg::ElementwiseKernel combine(
      {.arguments = "float32 a, const float32* x, float32 b, const float32* y, float32* z",
       .operation = "z[i] = a * x[i] + b * y[i]",
       .name = "linear_combination"});
  const Timer timer(setting, report);
  timer.time(
      "linear combination", n, 12, [&] { combine(2.0, x, 3.0, y, z); },
      [&] { host::linear_combination(2, a, 3, b, c); });
  timer.time(
      "fill", n, 4, [&] { z.fill(1.5); }, [&] { host::fill(1.5F, c); });
  const rtcg::DeviceArray every_second = x(rtcg::Slice{.step = 2}), dense = z(rtcg::Slice{0, every_second.size()});
  // Lines of memory that hold every second element are read as a whole: 8 bytes in, 4 out.
  timer.time(
      "copy, stride 2", every_second.size(), 12, [&] { dense.assign(every_second); },
      [&] { host::copy_every_second(a, std::span(c).first(a.size() / 2)); });
  volatile float kept = 0;
  timer.time(
      "sum", n, 4, [&] { (void)rtcg::sum(x); }, [&] { kept = host::sum(a); });
  timer.time(
      "dot", n, 8, [&] { (void)rtcg::dot(x, y); }, [&] { kept = host::dot(a, b); });
}

}  // namespace maxwell_dg::bench
