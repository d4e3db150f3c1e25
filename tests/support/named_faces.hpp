#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::testing {

/// Gives the faces whose vertices all fulfil a condition a name, inside the mesh or outside: a new one, or one that
/// others have.
inline void name_faces(dg::Mesh& mesh, const std::string& name,
                       const std::function<bool(const dg::Point&)>& lies_there) {
  const auto found = std::ranges::find(mesh.surfaces, name);
  const auto number = static_cast<std::int32_t>(found - mesh.surfaces.begin());
  if (found == mesh.surfaces.end()) mesh.surfaces.push_back(name);
  for (const auto& cell : mesh.cells) {
    for (const auto& [a, b, c] : dg::face_vertices) {
      const std::array face{cell.at(a), cell.at(b), cell.at(c)};
      if (std::ranges::all_of(face, [&](std::int32_t v) { return lies_there(mesh.vertices[dg::index(v)]); })) {
        mesh.surface_faces.push_back({face, number});
      }
    }
  }
}

}  // namespace maxwell_dg::testing
