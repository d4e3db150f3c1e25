#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg::maxwell {

using Edge = std::array<std::int32_t, 2>;  ///< vertices, ascending

[[nodiscard]] inline std::array<Edge, 3> edges_of(const Mesh& mesh, const ElementFace& f) {
  const auto& [a, b, c] = face_vertices.at(static_cast<std::size_t>(f.face));
  const auto& cell = mesh.cells[f.element];
  const auto edge = [&](std::size_t i, std::size_t j) {
    const auto [least, most] = std::minmax(cell.at(i), cell.at(j));
    return Edge{least, most};
  };
  return {edge(a, b), edge(b, c), edge(a, c)};
}

}  // namespace maxwell_dg::dg::maxwell
