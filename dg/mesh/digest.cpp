#include "dg/mesh/digest.hpp"

#include <cstdint>
#include <span>

#include "core/digest.hpp"

namespace maxwell_dg::dg {

std::string digest(const Mesh& mesh) {
  static_assert(sizeof(Mesh::SurfaceFace) == 4 * sizeof(std::int32_t), "bytes that pad would be hashed, too");
  Sha256 sum;
  sum.add_field(std::as_bytes(std::span(mesh.vertices)));
  sum.add_field(std::as_bytes(std::span(mesh.cells)));
  sum.add_field(std::as_bytes(std::span(mesh.cell_region)));
  sum.add_field(std::as_bytes(std::span(mesh.surface_faces)));
  for (const auto* names : {&mesh.regions, &mesh.surfaces}) {
    sum.add_field(std::to_string(names->size()));
    for (const std::string& name : *names) sum.add_field(name);
  }
  for (const auto* lists : {&mesh.cell_values, &mesh.vertex_values}) {
    for (const auto& [name, values] : *lists) {
      sum.add_field(name);
      sum.add_field(std::as_bytes(std::span(values)));
    }
  }
  if (mesh.curved.any()) {
    sum.add_field("curved " + std::to_string(mesh.curved.order));
    sum.add_field(std::as_bytes(std::span(mesh.curved.number)));
    sum.add_field(std::as_bytes(std::span(mesh.curved.nodes)));
  }
  return sum.hex();
}

}  // namespace maxwell_dg::dg
