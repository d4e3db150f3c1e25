#include "rtcg/array/random/random.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/round_up.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"

namespace maxwell_dg::rtcg {

namespace {

void check_real(Dtype dtype, const char* what) {
  if (is_real(dtype) || is_complex(dtype)) return;
  throw DtypeError(std::string(what) + " random numbers of " + std::string(name_of(dtype)) +
                   "; take a real or complex dtype, or integers()");
}

// The same memory with the parts of complex numbers as elements.
DeviceArray parts(const DeviceArray& array) {
  if (!is_complex(array.dtype())) return array;
  Layout layout = contiguous_layout({2 * array.size()});
  layout.offset = 2 * array.offset();
  return {array.context(), array.buffer(), real_part_of(array.dtype()), layout};
}

}  // namespace

RandomGenerator::RandomGenerator(Context context, const RandomPosition& position)
    : context_(std::move(context)), position_(position) {}

void RandomGenerator::run(const DeviceArray& into, const RandomRecipe& recipe, const Spread& spread) {
  if (!(into.context() == context_)) {
    throw ArrayError("random numbers into an array of another context than the generator's");
  }
  const auto lanes = static_cast<std::int64_t>(recipe.values.size());
  const DeviceArray direct = into.is_contiguous() ? parts(into) : DeviceArray();
  if (into.size() > 0 && (!into.is_contiguous() || direct.offset() % lanes != 0)) {
    const DeviceArray gathered = empty(context_, into.shape(), into.dtype());
    run(gathered, recipe, spread);
    into.assign(gathered);
    return;
  }
  const std::int64_t size = direct.size();
  const std::int64_t blocks = size / lanes + (size % lanes != 0 ? 1 : 0);
  if (size == 0) return;
  const core::DeviceInfo& device = context_.device().info();
  const bool in_runs = context_.prefers_long_runs();
  const Dtype dtype = direct.dtype();
  const std::vector<core::Kernel> kernels =
      context_.kernels("random|" + recipe.name + "|" + std::string(name_of(dtype)), [&] {
        return std::vector{context_.compiler().compile(random_source(recipe, dtype, in_runs)).kernel("random_numbers")};
      });
  const std::int64_t cores = std::max(device.compute_units, 1);
  const std::int64_t run = std::max<std::int64_t>(1024, ceil_divide(blocks, 4 * cores));
  const std::int64_t group = in_runs ? 1 : random_group_size;
  const std::int64_t groups = in_runs ? ceil_divide(blocks, run) : std::min(ceil_divide(blocks, group), 32 * cores);
  kernels.front().launch(
      context_.stream(),
      {.groups = {static_cast<std::size_t>(groups), 1, 1}, .group_size = {static_cast<std::size_t>(group), 1, 1}},
      {direct.buffer(), direct.offset(), size, run, position_.seed, position_.stream, position_.block, spread.low,
       spread.count});
  position_.block += static_cast<std::uint64_t>(blocks);
}

void RandomGenerator::fill_uniform(const DeviceArray& array) {
  check_real(array.dtype(), "uniform");
  run(array, uniform_recipe(array.dtype()), {});
}

void RandomGenerator::fill_normal(const DeviceArray& array) {
  check_real(array.dtype(), "normal");
  run(array, normal_recipe(array.dtype()), {});
}

DeviceArray RandomGenerator::uniform(const Shape& shape, Dtype dtype) {
  DeviceArray array = empty(context_, shape, dtype);
  fill_uniform(array);
  return array;
}

DeviceArray RandomGenerator::normal(const Shape& shape, Dtype dtype) {
  DeviceArray array = empty(context_, shape, dtype);
  fill_normal(array);
  return array;
}

DeviceArray RandomGenerator::poisson(const Shape& shape, double mean, Dtype dtype) {
  if (!(mean >= 0 && mean <= 700)) {
    throw ArrayError("Poisson numbers of mean " + std::to_string(mean) + "; expected 0 to 700");
  }
  return poisson(full(context_, {}, mean, Dtype::float64).broadcast_to(shape), dtype);
}

DeviceArray RandomGenerator::poisson(const DeviceArray& means, Dtype dtype) {
  if (!is_real(means.dtype()) || !(is_integer(dtype) || is_real(dtype))) {
    throw DtypeError("Poisson numbers of " + std::string(name_of(dtype)) + " with means of " +
                     std::string(name_of(means.dtype())) + "; take an integer or real dtype, and real means");
  }
  // Sums of probabilities are rounded, and may stay below a uniform number just under 1: far out the search ends.
  const std::string count = converted("k", Dtype::int64, dtype);
  const std::string operation =
      "const float64 m = " + converted(loaded("mean[i]", means.dtype()), means.dtype(), Dtype::float64) + R"(;
int64 k = 0;
float64 p = exp(-m), below = p;
while (u[i] >= below && (k <= m || p > 1e-17)) {
  ++k;
  p *= m / k;
  below += p;
}
z[i] = )" +
      stored(count, dtype) + ";";
  const ElementwiseKernel kernel({{.name = "u", .dtype = Dtype::float64, .kind = Argument::Kind::input},
                                  {.name = "mean", .dtype = means.dtype(), .kind = Argument::Kind::input},
                                  {.name = "z", .dtype = dtype, .kind = Argument::Kind::output}},
                                 {.operation = operation, .name = "poisson"});
  DeviceArray numbers = empty(context_, means.shape(), dtype);
  kernel(uniform(means.shape(), Dtype::float64), means, numbers);
  return numbers;
}

DeviceArray RandomGenerator::integers(const Shape& shape, const Range& range, Dtype dtype) {
  const std::string bounds =
      "random integers from " + std::to_string(range.low) + " to below " + std::to_string(range.high);
  if (!is_integer(dtype)) throw DtypeError(bounds + " of " + std::string(name_of(dtype)) + "; take an integer dtype");
  if (range.high <= range.low) throw ArrayError(bounds + ": there is none");
  visit_dtype(dtype, [&]<class T>(T) {
    if constexpr (is_integer(dtype_of<T>)) {
      if (!std::in_range<T>(range.low) || !std::in_range<T>(range.high - 1)) {
        throw DtypeError(bounds + ": " + std::string(name_of(dtype)) + " does not hold them");
      }
    }
  });
  DeviceArray array = empty(context_, shape, dtype);
  run(array, integer_recipe(dtype),
      {.low = static_cast<std::uint64_t>(range.low),
       .count = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low)});
  return array;
}

DeviceArray RandomGenerator::bits(const Shape& shape, Dtype dtype) {
  if (!is_integer(dtype) && dtype != Dtype::boolean) {
    throw DtypeError("random bits of " + std::string(name_of(dtype)) + "; take an integer dtype or bool");
  }
  DeviceArray array = empty(context_, shape, dtype);
  run(array, bit_recipe(dtype), {});
  return array;
}

}  // namespace maxwell_dg::rtcg
