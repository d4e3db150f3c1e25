#include "apps/rtcg_bench/cub_peer.hpp"

#include <algorithm>
#include <functional>

#ifdef MAXWELL_DG_HAVE_CUB
#include "apps/rtcg_bench/cub_calls.hpp"
#include "core/cuda/current_context.hpp"
#endif
#include "core/error.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench::cub {

#ifdef MAXWELL_DG_HAVE_CUB

namespace {

using Call = std::function<int(cub_calls::Scratch, void* stream)>;

template <class T>
T* memory(const rtcg::DeviceArray& array) {
  return reinterpret_cast<T*>(array.buffer().raw()) + array.offset();
}

std::optional<double> seconds_of(const rtcg::Context& context, const Call& call) {
  if (context.device().info().backend != core::Backend::cuda) return std::nullopt;
  const core::cuda::CurrentContext current(context.device());
  const auto stream = reinterpret_cast<void*>(context.stream().raw());
  const auto checked = [&](void* scratch, std::size_t& bytes) {
    const int code = call({.memory = scratch, .bytes = &bytes}, stream);
    if (code != 0) throw DeviceError("CUB failed with CUDA's code " + std::to_string(code));
  };
  std::size_t bytes = 0;
  checked(nullptr, bytes);
  const core::Buffer scratch = context.allocate(std::max<std::size_t>(bytes, 1));
  const auto run = [&] { checked(reinterpret_cast<void*>(scratch.raw()), bytes); };
  const double seconds = rtcg::measure_seconds(context.stream(), run);
  context.stream().synchronize();
  return seconds;
}

}  // namespace

std::optional<double> sum_seconds(const rtcg::DeviceArray& x) {
  const rtcg::DeviceArray total = rtcg::empty(x.context(), {1}, Dtype::float32);
  return seconds_of(x.context(), [&](cub_calls::Scratch scratch, void* stream) {
    return cub_calls::sum(scratch, memory<float>(x), memory<float>(total), x.size(), stream);
  });
}

std::optional<double> scan_seconds(const rtcg::DeviceArray& x) {
  const rtcg::DeviceArray sums = rtcg::empty(x.context(), x.shape(), Dtype::int32);
  return seconds_of(x.context(), [&](cub_calls::Scratch scratch, void* stream) {
    return cub_calls::inclusive_sum(scratch, memory<std::int32_t>(x), memory<std::int32_t>(sums), x.size(), stream);
  });
}

std::optional<double> sort_seconds(const rtcg::DeviceArray& keys) {
  const rtcg::DeviceArray sorted = rtcg::empty(keys.context(), keys.shape(), Dtype::uint32);
  return seconds_of(keys.context(), [&](cub_calls::Scratch scratch, void* stream) {
    return cub_calls::sort(scratch, memory<std::uint32_t>(keys), memory<std::uint32_t>(sorted), keys.size(), stream);
  });
}

std::optional<double> sort_pairs_seconds(const rtcg::DeviceArray& keys, const rtcg::DeviceArray& values) {
  const rtcg::DeviceArray sorted_keys = rtcg::empty(keys.context(), keys.shape(), Dtype::uint32),
                          sorted_values = rtcg::empty(keys.context(), keys.shape(), Dtype::uint32);
  const cub_calls::Pairs pairs{.keys = memory<std::uint32_t>(keys),
                               .values = memory<std::uint32_t>(values),
                               .sorted_keys = memory<std::uint32_t>(sorted_keys),
                               .sorted_values = memory<std::uint32_t>(sorted_values)};
  return seconds_of(keys.context(), [&](cub_calls::Scratch scratch, void* stream) {
    return cub_calls::sort_pairs(scratch, pairs, keys.size(), stream);
  });
}

#else

std::optional<double> sum_seconds(const rtcg::DeviceArray& /*x*/) {
  return std::nullopt;
}
std::optional<double> scan_seconds(const rtcg::DeviceArray& /*x*/) {
  return std::nullopt;
}
std::optional<double> sort_seconds(const rtcg::DeviceArray& /*keys*/) {
  return std::nullopt;
}
std::optional<double> sort_pairs_seconds(const rtcg::DeviceArray& /*keys*/, const rtcg::DeviceArray& /*values*/) {
  return std::nullopt;
}

#endif

}  // namespace maxwell_dg::bench::cub
