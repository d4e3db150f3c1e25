#include <algorithm>

#include "apps/rtcg_bench/bench.hpp"
#include "apps/rtcg_bench/host_loops.hpp"
#include "rtcg/array/random.hpp"
#include "rtcg/array/scan.hpp"
#include "rtcg/array/sort.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

namespace {

constexpr double giga = 1e9;

Answer answer(const char* name, std::int64_t size, double seconds, double bytes) {
  const auto count = static_cast<double>(size);
  return {.name = name,
          .size = size,
          .seconds = seconds,
          .gb_per_second = bytes * count / seconds / giga,
          .rate = count / seconds};
}

}  // namespace

void run_algorithms(const Setting& setting, const Report& report) {
  const std::int64_t n = setting.elements;
  const rtcg::Context& context = setting.context;
  rtcg::RandomGenerator generator(context, {.seed = 1});
  const rtcg::DeviceArray keys = generator.bits({n}, Dtype::uint32);
  const auto measured = [&](const std::function<void()>& enqueue) {
    return rtcg::measure_seconds(context.stream(), enqueue, {.warm_up = 1, .repeats = 7});
  };
  {
    const rtcg::DeviceArray x = keys.astype(Dtype::int32), z = rtcg::empty(context, {n}, Dtype::int32);
    const rtcg::ScanKernel scan({.arguments = "const int32* x, int32* z",
                                 .input = "x[i]",
                                 .scan = "a + b",
                                 .neutral = "0",
                                 .output = "z[i] = item",
                                 .dtype = Dtype::int32});
    Answer scanned = answer("inclusive scan", n, measured([&] { scan(x, z); }), 8);
    const std::vector<std::int32_t> from(static_cast<std::size_t>(n), 1);
    std::vector<std::int32_t> to(from.size());
    scanned.host = host::median_seconds([&] { host::inclusive_scan(from, to); });
    report(scanned);
  }
  {
    const rtcg::DeviceArray z = rtcg::empty(context, {n}, Dtype::float32);
    report(answer("uniform random", n, measured([&] { generator.fill_uniform(z); }), 4));
    report(answer("normal random", n, measured([&] { generator.fill_normal(z); }), 4));
  }
  Answer sorted = answer("radix sort, keys", n, measured([&] { (void)rtcg::sort(keys); }), 0);
  const std::vector<std::uint32_t> given = keys.to_vector<std::uint32_t>();
  std::vector<std::uint32_t> work;
  // std::sort, without what it takes to bring the keys back into disorder.
  const double copying = host::median_seconds([&] { work = given; }, 3);
  sorted.host = host::median_seconds(
                    [&] {
                      work = given;
                      std::ranges::sort(work);
                    },
                    1) -
                copying;
  sorted.remark = "host: std::sort";
  report(sorted);
  const rtcg::DeviceArray values = rtcg::arange(context, {.stop = n}, Dtype::uint32);
  report(answer("radix sort, key-value", n, measured([&] { (void)rtcg::sort_by_key(keys, values); }), 0));
}

}  // namespace maxwell_dg::bench
