// The only file that knows how a mesh looks in HDF5.
#include "dg/mesh/hdf5_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "dg/hdf5/file.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr const char* mesh_format = "maxwell_dg mesh";
constexpr int straight_version = 1,
              curved_version = 2;  // what knows the first alone must not take curved cells straight
constexpr const char* cell_values_group = "cell_values";
constexpr const char* vertex_values_group = "vertex_values";

void write_curved(hdf5::Writer& file, const CurvedCells& curved) {
  if (!curved.any()) return;
  std::vector<std::int32_t> cells;
  for (std::size_t k = 0; k < curved.number.size(); ++k) {
    if (curved.is_curved(k)) cells.push_back(static_cast<std::int32_t>(k));
  }
  file.put_attribute("curved_order", curved.order);
  file.put("curved_cells", Dtype::int32, {cells.size()}, cells.data());
  file.put("curved_nodes", Dtype::float64, {cells.size(), curved.nodes_a_cell(), 3}, curved.nodes.data());
}

void write_content(hdf5::Writer& file, const Mesh& mesh) {
  file.put_attribute("format", mesh_format);
  file.put_attribute("version", mesh.curved.any() ? curved_version : straight_version);
  file.put("vertices", Dtype::float64, {mesh.vertices.size(), 3}, mesh.vertices.data());
  file.put("cells", Dtype::int32, {mesh.cells.size(), 4}, mesh.cells.data());
  file.put("cell_region", Dtype::int32, {mesh.cell_region.size()}, mesh.cell_region.data());
  file.put("regions", mesh.regions);

  std::vector<std::array<std::int32_t, 3>> faces;
  std::vector<std::int32_t> surface;
  for (const auto& face : mesh.surface_faces) {
    faces.push_back(face.vertices);
    surface.push_back(face.surface);
  }
  file.put("surface_faces", Dtype::int32, {faces.size(), 3}, faces.data());
  file.put("surface_face_surface", Dtype::int32, {surface.size()}, surface.data());
  file.put("surfaces", mesh.surfaces);
  write_curved(file, mesh.curved);
  for (const auto& [group, lists] :
       {std::pair{cell_values_group, &mesh.cell_values}, {vertex_values_group, &mesh.vertex_values}}) {
    if (!lists->empty()) file.put_group(group);
    for (const auto& [name, values] : *lists) {
      file.put(group + ("/" + name), Dtype::float64, {values.size()}, values.data());
    }
  }
}

/// Rows of `columns` numbers each, 0 for a plain list.
template <class Row>
std::vector<Row> read_rows(const hdf5::Reader& file, const std::string& name, Dtype dtype, std::size_t columns) {
  const hdf5::Shape shape = file.shape(name, columns > 0 ? 2 : 1);
  if (columns > 0 && shape[1] != columns) throw hdf5::Failure(name + " has the wrong shape");
  std::vector<Row> rows(shape[0]);
  file.read(name, dtype, std::as_writable_bytes(std::span(rows)));
  return rows;
}

std::map<std::string, std::vector<double>> read_values(const hdf5::Reader& file, const std::string& group) {
  std::map<std::string, std::vector<double>> result;
  if (!file.has(group)) return result;
  for (const std::string& name : file.names(group)) {
    result[name] = read_rows<double>(file, group + "/" + name, Dtype::float64, 0);
  }
  return result;
}

/// Curved cells in any order, each once.
CurvedCells read_curved(const hdf5::Reader& file, std::size_t cells) {
  if (!file.has("curved_cells")) return {};
  if (file.integer_attribute("version") == straight_version) {
    throw hdf5::Failure("curved_cells is not for version " + std::to_string(straight_version) + ", but for version " +
                        std::to_string(curved_version));
  }
  CurvedCells listed{.order = file.integer_attribute("curved_order"), .number = {}, .nodes = {}};
  if (listed.order < 2 || listed.order > CurvedCells::highest_order) {
    throw hdf5::Failure("curved_order is " + std::to_string(listed.order) + ", not 2 to 9");
  }
  const auto curved_cells = read_rows<std::int32_t>(file, "curved_cells", Dtype::int32, 0);
  const hdf5::Shape expected{curved_cells.size(), listed.nodes_a_cell(), 3};
  if (file.shape("curved_nodes", 3) != expected) throw hdf5::Failure("curved_nodes has the wrong shape");
  listed.nodes.resize(expected[0] * expected[1]);
  file.read("curved_nodes", Dtype::float64, std::as_writable_bytes(std::span(listed.nodes)));

  listed.number.resize(curved_cells.size());
  std::iota(listed.number.begin(), listed.number.end(), 0);
  std::vector<std::int32_t> place(cells, -1);
  for (std::size_t i = 0; i < curved_cells.size(); ++i) {
    const std::int32_t cell = curved_cells[i];
    if (cell < 0 || index(cell) >= cells || place[index(cell)] >= 0) {
      throw hdf5::Failure("curved_cells has the tetrahedron " + std::to_string(cell) +
                          ", which there is not, or which it has twice");
    }
    place[index(cell)] = static_cast<std::int32_t>(i);
  }
  listed.reorder(place);
  return listed;
}

void require_format(const hdf5::Reader& file) {
  if (!file.has_attribute("format") || file.text_attribute("format") != mesh_format) {
    throw hdf5::Failure("it is HDF5, but no mesh of this program");
  }
  const int version = file.integer_attribute("version");
  if (version != straight_version && version != curved_version) {
    throw hdf5::Failure("its format version is " + std::to_string(version) + ", this program reads versions " +
                        std::to_string(straight_version) + " and " + std::to_string(curved_version));
  }
}

void require_consistent(const Mesh& mesh) {
  const auto valid = [](std::int32_t index, const std::vector<std::string>& names, std::int32_t lowest) {
    return index >= lowest && index < static_cast<std::int32_t>(names.size());
  };
  bool ok = mesh.cell_region.size() == mesh.cells.size();
  for (const auto region : mesh.cell_region) ok = ok && valid(region, mesh.regions, -1);
  for (const auto& face : mesh.surface_faces) ok = ok && valid(face.surface, mesh.surfaces, 0);
  if (!ok) throw hdf5::Failure("its regions or surfaces do not fit its elements");
  const auto require_count = [](const auto& lists, const std::string& group, std::size_t count, const char* things) {
    for (const auto& [name, values] : lists) {
      if (values.size() == count) continue;
      throw hdf5::Failure(group + "/" + name + " has " + std::to_string(values.size()) + " values for " +
                          std::to_string(count) + " " + things);
    }
  };
  require_count(mesh.cell_values, cell_values_group, mesh.cells.size(), "cells");
  require_count(mesh.vertex_values, vertex_values_group, mesh.vertices.size(), "vertices");
}

Mesh read_content(const hdf5::Reader& file) {
  require_format(file);
  Mesh mesh;
  mesh.vertices = read_rows<Point>(file, "vertices", Dtype::float64, 3);
  mesh.cells = read_rows<std::array<std::int32_t, 4>>(file, "cells", Dtype::int32, 4);
  mesh.cell_region = read_rows<std::int32_t>(file, "cell_region", Dtype::int32, 0);
  mesh.regions = file.read_strings("regions");
  const auto faces = read_rows<std::array<std::int32_t, 3>>(file, "surface_faces", Dtype::int32, 3);
  const auto surface = read_rows<std::int32_t>(file, "surface_face_surface", Dtype::int32, 0);
  mesh.surfaces = file.read_strings("surfaces");
  if (faces.size() != surface.size()) throw hdf5::Failure("its regions or surfaces do not fit its elements");
  for (std::size_t i = 0; i < faces.size(); ++i) mesh.surface_faces.push_back({faces[i], surface[i]});
  mesh.cell_values = read_values(file, cell_values_group);
  mesh.vertex_values = read_values(file, vertex_values_group);
  mesh.curved = read_curved(file, mesh.cells.size());
  require_consistent(mesh);
  return mesh;
}

}  // namespace

Mesh read_hdf5_mesh(const std::filesystem::path& file) {
  hdf5::SilentErrors silent;
  try {
    const hdf5::Reader reader(file);
    return read_content(reader);
  } catch (const hdf5::Failure& failure) {
    silent.stay();
    throw MeshError(file.string() + ": damaged, truncated or no mesh: " + failure.what() +
                    "; write it anew with maxwell_dg --convert");
  } catch (const std::bad_alloc&) {
    throw MeshError(file.string() + ": there is not enough memory for what it says it holds; is it damaged?");
  }
}

void write_hdf5_mesh(const Mesh& mesh, const std::filesystem::path& file) {
  try {
    hdf5::Writer writer(file.string());
    write_content(writer, mesh);
    write_file_atomically(file, writer.finish());
  } catch (const hdf5::Failure& failure) {
    throw OutputError(file.string() + ": the mesh cannot be put into HDF5: " + failure.what() +
                      "; is there enough memory?");
  }
}

}  // namespace maxwell_dg::dg
