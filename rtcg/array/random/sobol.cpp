#include "rtcg/array/random/sobol.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/round_up.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/random/philox.hpp"
#include "rtcg/array/random/random_source.hpp"
#include "rtcg/array/random/sobol_directions.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr std::int64_t all_points = std::int64_t{1} << 32;

std::vector<std::uint32_t> all_directions(const SobolSequence::Description& description) {
  std::vector<std::uint32_t> words;
  words.reserve(static_cast<std::size_t>(description.dimensions) * sobol_words);
  for (int dimension = 0; dimension < description.dimensions; ++dimension) {
    const SobolDirections directions = sobol_directions(dimension);
    words.insert(words.end(), directions.begin(), directions.end());
    const auto block = static_cast<std::uint64_t>(dimension);
    words.push_back(description.seed ? random_words({.seed = *description.seed, .block = block})[0] : 0);
  }
  return words;
}

int checked_dimensions(int dimensions) {
  if (dimensions >= 1 && dimensions <= sobol_dimensions) return dimensions;
  throw ArrayError("a Sobol sequence of " + std::to_string(dimensions) + " dimensions; expected 1 to " +
                   std::to_string(sobol_dimensions));
}

}  // namespace

SobolSequence::SobolSequence(Context context, const Description& description)
    : context_(std::move(context)),
      directions_(to_device(context_, all_directions({checked_dimensions(description.dimensions), description.seed}),
                            {description.dimensions, static_cast<std::int64_t>(sobol_words)})) {}

void SobolSequence::set_position(std::int64_t point) {
  if (point < 0 || point > all_points) {
    throw ArrayError("point " + std::to_string(point) + " of a Sobol sequence; it has 2^32");
  }
  position_ = point;
}

DeviceArray SobolSequence::uniform(std::int64_t count, Dtype dtype) {
  if (dtype != Dtype::float32 && dtype != Dtype::float64) {
    throw DtypeError("Sobol points of " + std::string(name_of(dtype)) + "; take float32 or float64");
  }
  return run(count, dtype);
}

DeviceArray SobolSequence::bits(std::int64_t count) {
  return run(count, Dtype::uint32);
}

DeviceArray SobolSequence::run(std::int64_t count, Dtype dtype) {
  if (count > all_points - position_) {
    throw ArrayError(std::to_string(count) + " points behind point " + std::to_string(position_) +
                     " of a Sobol sequence; it has 2^32");
  }
  const std::int64_t dimensions = directions_.shape()[0];
  DeviceArray points = empty(context_, {dimensions, count}, dtype);
  if (count == 0) return points;
  const bool in_runs = context_.prefers_long_runs();
  const std::vector<core::Kernel> kernels = context_.kernels("sobol|" + std::string(name_of(dtype)), [&] {
    return std::vector{context_.compiler().compile(sobol_source(dtype, in_runs)).kernel("sobol_points")};
  });
  const std::int64_t cores = std::max(context_.device().info().compute_units, 1);
  const std::int64_t most_groups = std::max<std::int64_t>(1, (in_runs ? 4 : 32) * cores / dimensions);
  const std::int64_t run = std::max<std::int64_t>(4096, ceil_divide(count, most_groups));
  kernels.front().launch(
      context_.stream(),
      {.groups = {static_cast<std::size_t>(ceil_divide(count, run)), static_cast<std::size_t>(dimensions), 1},
       .group_size = {in_runs ? 1 : random_group_size, 1, 1}},
      {directions_.buffer(), points.buffer(), count, position_, run});
  position_ += count;
  return points;
}

}  // namespace maxwell_dg::rtcg
