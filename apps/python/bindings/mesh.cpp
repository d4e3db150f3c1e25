#include "apps/python/bindings/mesh.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/config/mesh_keys.hpp"
#include "apps/python/bindings/arrays.hpp"
#include "apps/python/bindings/bindings.hpp"
#include "core/error.hpp"
#include "dg/reference/reference_element.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {
namespace {

template <class T>
using Rows = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using List = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = std::map<std::string, std::vector<double>>;

constexpr const char* origin = "the mesh in memory";
constexpr const char* given = "number as it was given";  // values that `prepare` orders along with cells and vertices

[[noreturn]] void refuse(const std::string& what) {
  throw MeshError(std::string(origin) + ": " + what);
}

template <std::size_t n, class T>
std::vector<std::array<T, n>> rows_of(const Rows<T>& array, const char* name) {
  if (array.shape(1) != n) {
    refuse(std::string(name) + " has " + std::to_string(array.shape(1)) + " columns, not " + std::to_string(n));
  }
  std::vector<std::array<T, n>> rows(array.shape(0));
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(array.data() + i * n, n, rows[i].begin());
  return rows;
}

std::vector<std::int32_t> list_of(const List<std::int32_t>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Throws MeshError for a number that is not in [least, end).
void require_within(const std::vector<std::int32_t>& numbers, std::int32_t least, std::size_t end, const char* what) {
  for (const std::int32_t number : numbers) {
    if (number < least || number >= static_cast<std::int32_t>(end)) {
      refuse(std::string(what) + " " + std::to_string(number) + " is none of the " + std::to_string(end) +
             " that there are; they count from 0");
    }
  }
}

void require_count(std::size_t found, std::size_t wanted, const std::string& what) {
  if (found != wanted) refuse(what + ": " + std::to_string(found) + " values for " + std::to_string(wanted));
}

std::vector<double> counted(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return numbers;
}

std::vector<std::int32_t> taken(Values& values) {
  const std::vector<double> numbers = std::move(values.extract(given).mapped());
  return {numbers.begin(), numbers.end()};
}

void add_nodes(dg::Mesh& mesh, const nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>& nodes,
               int order) {
  if (order < 2 || order > dg::CurvedCells::highest_order) {
    refuse("the order of its cells is " + std::to_string(order) + "; 1 to 9 are known");
  }
  mesh.curved.order = order;
  const bool fits =
      nodes.shape(0) == mesh.cells.size() && nodes.shape(1) == mesh.curved.nodes_a_cell() && nodes.shape(2) == 3;
  if (!fits) refuse("nodes of the shape [cell, node of its order, 3] are needed");
  mesh.curved.number.resize(mesh.cells.size());
  std::iota(mesh.curved.number.begin(), mesh.curved.number.end(), 0);
  mesh.curved.nodes.resize(mesh.cells.size() * mesh.curved.nodes_a_cell());
  for (std::size_t i = 0; i < mesh.curved.nodes.size(); ++i) {
    std::copy_n(nodes.data() + 3 * i, 3, mesh.curved.nodes[i].begin());
  }
}

struct Named {
  std::vector<std::int32_t> numbers;  ///< [cell or face] of `names`
  std::vector<std::string> names;
};

MeshInMemory made(const Rows<double>& vertices, const Rows<std::int32_t>& cells, const Named& regions,
                  const Rows<std::int32_t>& faces, const Named& surfaces,
                  const std::optional<nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>>& nodes,
                  int order) {
  auto mesh = std::make_shared<dg::Mesh>();
  mesh->vertices = rows_of<3>(vertices, "vertices");
  mesh->cells = rows_of<4>(cells, "cells");
  mesh->cell_region = regions.numbers;
  mesh->regions = regions.names;
  mesh->surfaces = surfaces.names;
  require_count(regions.numbers.size(), mesh->cells.size(), "regions of cells");
  require_within(regions.numbers, -1, regions.names.size(), "the region");
  const auto corners = rows_of<3>(faces, "surfaces");
  require_count(surfaces.numbers.size(), corners.size(), "surfaces of faces");
  require_within(surfaces.numbers, 0, surfaces.names.size(), "the surface");
  for (std::size_t i = 0; i < corners.size(); ++i) {
    require_within({corners[i].begin(), corners[i].end()}, 0, mesh->vertices.size(), "a surface's vertex");
    mesh->surface_faces.push_back({corners[i], surfaces.numbers[i]});
  }
  if (nodes) add_nodes(*mesh, *nodes, order);
  mesh->cell_values[given] = counted(mesh->cells.size());
  mesh->vertex_values[given] = counted(mesh->vertices.size());
  dg::prepare(*mesh, origin, dg::Orientation::any);
  MeshInMemory result{
      .mesh = nullptr, .cell_numbers = taken(mesh->cell_values), .vertex_numbers = taken(mesh->vertex_values)};
  result.mesh = std::move(mesh);
  return result;
}

/// The same mesh with values a cell and a vertex, in its own order.
MeshInMemory with_values(const MeshInMemory& mesh, Values of_cells, Values of_vertices) {
  auto copy = std::make_shared<dg::Mesh>(*mesh.mesh);
  const auto add = [&](Values& values, Values& to, std::size_t count) {
    for (auto& [name, list] : values) {
      require_count(list.size(), count, name);
      to[name] = std::move(list);
    }
  };
  add(of_cells, copy->cell_values, copy->cells.size());
  add(of_vertices, copy->vertex_values, copy->vertices.size());
  return {.mesh = std::move(copy), .cell_numbers = mesh.cell_numbers, .vertex_numbers = mesh.vertex_numbers};
}

nb::object points_of(const std::vector<dg::Point>& points) {
  std::vector<double> values;
  for (const dg::Point& point : points) values.insert(values.end(), point.begin(), point.end());
  return array_of(std::move(values), {points.size(), 3});
}

nb::object cells_of(const dg::Mesh& mesh) {
  std::vector<std::int32_t> values;
  for (const auto& cell : mesh.cells) values.insert(values.end(), cell.begin(), cell.end());
  return array_of(std::move(values), {mesh.cells.size(), 4});
}

nb::object centres_of(const dg::Mesh& mesh) {
  std::vector<dg::Point> centres;
  for (const auto& cell : mesh.cells) centres.push_back(dg::centroid(mesh, cell));
  return points_of(centres);
}

/// [node][vertex]
nb::object barycentric_nodes(int order) {
  const dg::ReferenceElement reference = dg::ReferenceElement::make(order);
  std::vector<double> weights;
  for (Eigen::Index i = 0; i < reference.Np; ++i) {
    const std::array<double, 3> at{reference.r[i], reference.s[i], reference.t[i]};
    weights.push_back(-(1 + at[0] + at[1] + at[2]) / 2);
    for (const double coordinate : at) weights.push_back((1 + coordinate) / 2);
  }
  return array_of(std::move(weights), {static_cast<std::size_t>(reference.Np), 4});
}

}  // namespace

void bind_mesh(nb::module_& m) {
  nb::class_<MeshInMemory>(m, "Mesh", "A prepared mesh.")
      .def(
          "__init__",
          [](MeshInMemory* self, const Rows<double>& vertices, const Rows<std::int32_t>& cells,
             const List<std::int32_t>& cell_region, const std::vector<std::string>& regions,
             const Rows<std::int32_t>& faces, const List<std::int32_t>& face_surface,
             const std::vector<std::string>& surfaces,
             const std::optional<nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>>& nodes,
             int order) {
            const Named of_cells{list_of(cell_region), regions}, of_faces{list_of(face_surface), surfaces};
            const nb::gil_scoped_release without_lock;
            new (self) MeshInMemory(made(vertices, cells, of_cells, faces, of_faces, nodes, order));
          },
          "vertices"_a, "cells"_a, "cell_region"_a, "regions"_a, "faces"_a, "face_surface"_a, "surfaces"_a,
          "nodes"_a.none(), "order"_a)
      .def("with_values", &with_values, "of_cells"_a, "of_vertices"_a)
      .def(
          "write",
          [](const MeshInMemory& mesh, const std::filesystem::path& file) { dg::write_mesh(*mesh.mesh, file); },
          "file"_a)
      .def_prop_ro("vertices", [](const MeshInMemory& mesh) { return points_of(mesh.mesh->vertices); })
      .def_prop_ro("cells", [](const MeshInMemory& mesh) { return cells_of(*mesh.mesh); })
      .def_prop_ro("centres", [](const MeshInMemory& mesh) { return centres_of(*mesh.mesh); })
      .def_prop_ro("cell_region",
                   [](const MeshInMemory& mesh) {
                     return array_of(std::vector<std::int32_t>(mesh.mesh->cell_region), {mesh.mesh->cells.size()});
                   })
      .def_prop_ro("regions", [](const MeshInMemory& mesh) { return mesh.mesh->regions; })
      .def_prop_ro("surfaces", [](const MeshInMemory& mesh) { return mesh.mesh->surfaces; })
      .def_prop_ro("curved_cells",
                   [](const MeshInMemory& mesh) { return mesh.mesh->curved.any() ? mesh.mesh->curved.count() : 0; })
      .def_prop_ro("cell_numbers",
                   [](const MeshInMemory& mesh) {
                     return array_of(std::vector<std::int32_t>(mesh.cell_numbers), {mesh.cell_numbers.size()});
                   })
      .def_prop_ro("vertex_numbers", [](const MeshInMemory& mesh) {
        return array_of(std::vector<std::int32_t>(mesh.vertex_numbers), {mesh.vertex_numbers.size()});
      });
  m.def(
      "read_mesh",
      [](const config::Config& config) {
        const nb::gil_scoped_release without_lock;
        return MeshInMemory{.mesh = std::make_shared<const dg::Mesh>(config::source_mesh(config))};
      },
      "config"_a, "The mesh that a config names.");
  m.def("barycentric_nodes", &barycentric_nodes, "order"_a,
        "[node, 4] The nodes of every element, by the weights of its vertices.");
}

}  // namespace maxwell_dg::python
