#pragma once

#include <cstdint>
#include <optional>

#include "rtcg/array/device_array.hpp"

namespace maxwell_dg::rtcg {

/// Quasi-random points of a unit cube, which fill it more evenly than random ones: a mean over n of them errs by about
/// 1 / n of a smooth integrand instead of 1 / sqrt(n). Sobol's sequence in the order of Antonov and Saleev, with the
/// direction numbers of Joe and Kuo (sobol_directions.hpp); a point is a function of its number, so every device makes
/// the same, to the bit.
///
///     SobolSequence points(context, {.dimensions = 2});
///     const DeviceArray p = points.uniform(4096);             // p(0): all x, p(1): all y
///     const double quarter = mean(lazy(square(p(0)) + square(p(1)) < 1)).item<double>();
///
/// Take a power of two of them. Point 0 is the origin; with a seed all points are moved by one random point (a digital
/// shift: exclusive or of the bits), so that several seeds tell how far a mean errs.
class SobolSequence {
 public:
  struct Description {
    int dimensions = 1;
    std::optional<std::uint64_t> seed = std::nullopt;
  };
  /// Throws ArrayError unless there are 1 to `sobol_dimensions` dimensions.
  SobolSequence(Context context, const Description& description);

  /// The next `count` points: shape {dimensions, count}, in [0, 1), with as many leading bits as the significand has,
  /// at most 32. Throws DtypeError unless the dtype is float32 or float64, ArrayError beyond 2^32 points.
  [[nodiscard]] DeviceArray uniform(std::int64_t count, Dtype dtype = Dtype::float64);
  /// The same as whole words: uint32.
  [[nodiscard]] DeviceArray bits(std::int64_t count);

  /// The number of the point that comes next; setting it goes there at once.
  [[nodiscard]] std::int64_t position() const { return position_; }
  void set_position(std::int64_t point);

 private:
  DeviceArray run(std::int64_t count, Dtype dtype);

  Context context_;
  DeviceArray directions_;  ///< uint32, {dimensions, 33}: the shift comes last
  std::int64_t position_ = 0;
};

}  // namespace maxwell_dg::rtcg
