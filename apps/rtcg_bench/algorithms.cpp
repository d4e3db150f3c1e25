#include "apps/rtcg_bench/bench.hpp"
#include "apps/rtcg_bench/cub_peer.hpp"
#include "apps/rtcg_bench/host_loops.hpp"
#include "apps/rtcg_bench/timing.hpp"
#include "rtcg/array/random/random.hpp"
#include "rtcg/array/scan.hpp"
#include "rtcg/array/sort.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

namespace {

/// At least `fraction` of CUB's speed is asked for.
void beside_cub(Answer& answer, const std::optional<double>& seconds, double fraction) {
  if (!seconds) return;
  answer.peer = seconds;
  answer.limit = *seconds / fraction;
  answer.remark = "peer: CUB";
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
    const std::vector<std::int32_t> from(static_cast<std::size_t>(n), 1);
    std::vector<std::int32_t> to(from.size());
    const InTurns seconds = seconds_in_turns(
        context.stream(), [&] { scan(x, z); }, [&] { host::inclusive_scan(from, to); });
    Answer scanned = answer_of("inclusive scan", n, seconds.device, 8);
    scanned.host = seconds.host;
    beside_cub(scanned, cub::scan_seconds(x), 0.8);
    report(scanned);
  }
  {
    const rtcg::DeviceArray z = rtcg::empty(context, {n}, Dtype::float32);
    report(answer_of("uniform random", n, measured([&] { generator.fill_uniform(z); }), 4));
    report(answer_of("normal random", n, measured([&] { generator.fill_normal(z); }), 4));
  }
  const std::vector<std::uint32_t> given = keys.to_vector<std::uint32_t>();
  std::vector<std::uint32_t> work;
  const double copying = median_seconds([&] { work = given; }, 3);
  const InTurns seconds = seconds_in_turns(
      context.stream(), [&] { (void)rtcg::sort(keys); },
      [&] {
        work = given;
        host::sort(work);
      },
      3);
  Answer sorted = answer_of("radix sort, keys", n, seconds.device, 0);
  sorted.host = seconds.host - copying;  // without what it takes to bring the keys back into disorder
  beside_cub(sorted, cub::sort_seconds(keys), 0.5);
  report(sorted);
  const rtcg::DeviceArray values = rtcg::arange(context, {.stop = n}, Dtype::uint32);
  Answer pairs = answer_of("radix sort, key-value", n, measured([&] { (void)rtcg::sort_by_key(keys, values); }), 0);
  beside_cub(pairs, cub::sort_pairs_seconds(keys, values), 0.5);
  report(pairs);
}

}  // namespace maxwell_dg::bench
