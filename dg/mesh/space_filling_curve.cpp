#include "dg/mesh/space_filling_curve.hpp"

#include <utility>

namespace maxwell_dg::dg {

// Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707, 381 (2004): undo, from the coarsest level down, the
// reflections and exchanges of axes that the curve makes in each octant; what is left is a Gray code.
std::uint64_t hilbert_index(std::array<std::uint32_t, 3> x) {
  for (std::uint32_t level = 1U << (hilbert_bits - 1); level > 1; level >>= 1) {
    const std::uint32_t below = level - 1;
    for (auto& coordinate : x) {
      if (coordinate & level) {
        x[0] ^= below;
      } else {
        const std::uint32_t differing = (x[0] ^ coordinate) & below;
        x[0] ^= differing;
        coordinate ^= differing;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t parity = 0;
  for (std::uint32_t level = 1U << (hilbert_bits - 1); level > 1; level >>= 1) {
    if (x[2] & level) parity ^= level - 1;
  }
  std::uint64_t index = 0;
  for (int bit = hilbert_bits - 1; bit >= 0; --bit) {
    for (const auto coordinate : x) index = (index << 1) | (((coordinate ^ parity) >> bit) & 1U);
  }
  return index;
}

}  // namespace maxwell_dg::dg
