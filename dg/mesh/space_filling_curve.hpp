#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// Place along the Hilbert curve through a cube of (2^21)^3 lattice points: neighbours on the curve are neighbours in
/// space, and most neighbours in space are near on the curve. Each coordinate is below 2^21.
[[nodiscard]] std::uint64_t hilbert_index(std::array<std::uint32_t, 3> x);

inline constexpr int hilbert_bits = 21;

/// [cell] Where its centroid is along the Hilbert curve through the cube around the mesh.
[[nodiscard]] std::vector<std::uint64_t> places_on_curve(const Mesh& mesh);
/// The same where the mesh is a piece of one that the box holds.
[[nodiscard]] std::vector<std::uint64_t> places_on_curve(const Mesh& mesh, const BoundingBox& box);

}  // namespace maxwell_dg::dg
