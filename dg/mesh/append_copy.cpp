#include <cstdint>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {
namespace {

template <class T, class Shift>
void repeat(std::vector<T>& list, const Shift& shift) {
  const std::size_t size = list.size();
  list.reserve(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    T item = list[i];
    shift(item);
    list.push_back(item);
  }
}

}  // namespace

void append_copy(Mesh& mesh) {
  const auto by = static_cast<std::int32_t>(mesh.vertices.size());
  const auto as_it_is = [](const auto&) {};
  const auto renumber = [by](auto& vertices) {
    for (std::int32_t& v : vertices) v += by;
  };
  repeat(mesh.vertices, as_it_is);
  repeat(mesh.cells, renumber);
  repeat(mesh.cell_region, as_it_is);
  repeat(mesh.surface_faces, [&](Mesh::SurfaceFace& face) { renumber(face.vertices); });
  repeat(mesh.identity, [by](std::int32_t& v) { v += by; });
  repeat(mesh.curved.number, [by = static_cast<std::int32_t>(mesh.curved.count())](std::int32_t& n) {
    if (n >= 0) n += by;
  });
  repeat(mesh.curved.nodes, as_it_is);
  for (auto& [name, values] : mesh.cell_values) repeat(values, as_it_is);
  for (auto& [name, values] : mesh.vertex_values) repeat(values, as_it_is);
}

}  // namespace maxwell_dg::dg
