#pragma once

#include <cstdint>

#include "rtcg/array/device_array.hpp"
#include "rtcg/array/random/philox.hpp"
#include "rtcg/array/random/random_source.hpp"

namespace maxwell_dg::rtcg {

/// A sequence of random numbers, by counter (philox.hpp): a seed gives the same on every device and for every launch
/// shape, uniform numbers and integers to the bit, normal ones up to the rounding of log, sin and cos. Streams of one
/// seed are independent of each other. Each call continues behind the one before it, at a new block.
///
///     RandomGenerator generator(context, {.seed = 42});
///     const DeviceArray x = generator.uniform({1000, 3}, Dtype::float32);
///
/// In kernel text of arrays, `#include "random.h"` brings the same functions.
class RandomGenerator {
 public:
  explicit RandomGenerator(Context context, const RandomPosition& position = {});

  /// In [0, 1), as many leading bits as the significand has. Of complex dtypes both parts. Throws DtypeError unless the
  /// dtype is real or complex.
  [[nodiscard]] DeviceArray uniform(const Shape& shape, Dtype dtype = Dtype::float64);
  /// Of mean 0 and variance 1; of complex dtypes each part.
  [[nodiscard]] DeviceArray normal(const Shape& shape, Dtype dtype = Dtype::float64);
  /// How often a thing happens that is expected `mean` times: probability mean^k exp(-mean) / k! of k. One uniform
  /// number each, by inversion. Throws DtypeError unless the dtype is an integer's or real, ArrayError unless
  /// 0 <= mean <= 700 (where exp(-mean) is a number yet; beyond, normal numbers of that mean and variance come close).
  [[nodiscard]] DeviceArray poisson(const Shape& shape, double mean, Dtype dtype = Dtype::int64);
  /// The same with a mean of its own for each element, real, of which none is looked at before.
  [[nodiscard]] DeviceArray poisson(const DeviceArray& means, Dtype dtype = Dtype::int64);
  /// low <= number < high. Throws DtypeError unless the dtype is an integer's that holds both ends, ArrayError when
  /// the range is empty. The likeliest number is likelier than the others by less than one in 2^64 / (high - low).
  struct Range {
    std::int64_t low = 0;
    std::int64_t high;
  };
  [[nodiscard]] DeviceArray integers(const Shape& shape, const Range& range, Dtype dtype = Dtype::int64);
  /// All bits random; of bool one. Throws DtypeError unless the dtype is an integer's or bool.
  [[nodiscard]] DeviceArray bits(const Shape& shape, Dtype dtype = Dtype::uint32);

  /// The same into an existing array, whatever its strides.
  void fill_uniform(const DeviceArray& array);
  void fill_normal(const DeviceArray& array);

  /// Where the next call begins; setting it goes there at once.
  [[nodiscard]] const RandomPosition& position() const { return position_; }
  void set_position(const RandomPosition& position) { position_ = position; }

 private:
  struct Spread {
    std::uint64_t low = 0, count = 0;
  };
  void run(const DeviceArray& into, const RandomRecipe& recipe, const Spread& spread);

  Context context_;
  RandomPosition position_;
};

}  // namespace maxwell_dg::rtcg
