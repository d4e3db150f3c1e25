#pragma once

#include <array>
#include <cstdint>

namespace maxwell_dg::rtcg {

inline constexpr int sobol_dimensions = 128;  ///< those whose numbers are here

/// The direction numbers of a Sobol sequence's coordinate, as fractions of 2^32: point n is the exclusive or of those
/// whose bit is set in n ^ (n >> 1), the Gray code of n. `dimension` counts from 0, to below sobol_dimensions.
using SobolDirections = std::array<std::uint32_t, 32>;
[[nodiscard]] SobolDirections sobol_directions(int dimension);

}  // namespace maxwell_dg::rtcg
