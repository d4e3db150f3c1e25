#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::python {

/// A prepared mesh, and the numbers by which whoever made it knows its cells and vertices; none of a mesh that was
/// read.
struct MeshInMemory {
  std::shared_ptr<const dg::Mesh> mesh;
  std::vector<std::int32_t> cell_numbers{}, vertex_numbers{};
};

}  // namespace maxwell_dg::python
