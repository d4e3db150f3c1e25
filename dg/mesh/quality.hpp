#pragma once

#include <cstddef>
#include <string>

#include "dg/mesh/geometry.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// "element 7 at (0.1, 0.2, 0.3) m in region 'air'": a cell in words, by its centroid; `unit`: " m", or nothing.
[[nodiscard]] std::string where_is(const Mesh& mesh, std::size_t cell, const std::string& unit);

[[nodiscard]] double longest_edge(const Mesh& mesh, std::size_t cell);

/// From 0, flat, to 1, regular: inscribed radius over longest edge, times 2 sqrt(6).
[[nodiscard]] double quality(const Mesh& mesh, const Geometry& geometry, std::size_t cell);

}  // namespace maxwell_dg::dg
