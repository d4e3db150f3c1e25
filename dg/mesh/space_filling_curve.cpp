#include "dg/mesh/space_filling_curve.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/in_parallel.hpp"
#include "core/round_up.hpp"

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

// Sums of lattice coordinates are integers, so that the result does not depend on the order of a cell's vertices, and
// preparing a prepared mesh changes nothing.
std::vector<std::uint64_t> places_on_curve(const Mesh& mesh) {
  return places_on_curve(mesh, bounding_box(mesh.vertices));
}

std::vector<std::uint64_t> places_on_curve(const Mesh& mesh, const BoundingBox& box) {
  const double extent = std::max({box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]});
  const double scale = ((1U << hilbert_bits) - 1) / extent;
  std::vector<std::uint64_t> places(mesh.cells.size());
  const auto place_of = [&](const std::array<std::int32_t, 4>& cell) {
    std::array<std::uint32_t, 3> centroid{};
    for (const auto v : cell) {
      for (std::size_t d = 0; d < 3; ++d) {
        centroid[d] += static_cast<std::uint32_t>((mesh.vertices[index(v)][d] - box.min[d]) * scale);
      }
    }
    for (auto& x : centroid) x /= 4;
    return hilbert_index(centroid);
  };
  constexpr std::size_t at_once = 1U << 16;
  for_each_in_parallel(ceil_divide(places.size(), at_once), [&](std::size_t piece) {
    const std::size_t end = std::min(places.size(), (piece + 1) * at_once);
    for (std::size_t k = piece * at_once; k < end; ++k) places[k] = place_of(mesh.cells[k]);
  });
  return places;
}

}  // namespace maxwell_dg::dg
