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

/// How many rows of `columns` numbers there are, 0 for a plain list.
std::size_t count_rows(const hdf5::Reader& file, const std::string& name, std::size_t columns) {
  const hdf5::Shape shape = file.shape(name, columns > 0 ? 2 : 1);
  if (columns > 0 && shape[1] != columns) throw hdf5::Failure(name + " has the wrong shape");
  return shape[0];
}

/// Rows of `columns` numbers each, 0 for a plain list.
template <class Row>
std::vector<Row> read_rows(const hdf5::Reader& file, const std::string& name, Dtype dtype, std::size_t columns) {
  std::vector<Row> rows(count_rows(file, name, columns));
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

/// Of a file with curved cells.
int order_of_curved(const hdf5::Reader& file) {
  if (file.integer_attribute("version") == straight_version) {
    throw hdf5::Failure("curved_cells is not for version " + std::to_string(straight_version) + ", but for version " +
                        std::to_string(curved_version));
  }
  const int order = file.integer_attribute("curved_order");
  if (order < 2 || order > CurvedCells::highest_order) {
    throw hdf5::Failure("curved_order is " + std::to_string(order) + ", not 2 to 9");
  }
  return order;
}

void require_nodes(const hdf5::Reader& file, std::size_t curved_cells, std::size_t nodes_a_cell) {
  if (file.shape("curved_nodes", 3) != hdf5::Shape{curved_cells, nodes_a_cell, 3}) {
    throw hdf5::Failure("curved_nodes has the wrong shape");
  }
}

/// Curved cells in any order, each once.
CurvedCells read_curved(const hdf5::Reader& file, std::size_t cells) {
  if (!file.has("curved_cells")) return {};
  CurvedCells listed{.order = order_of_curved(file), .number = {}, .nodes = {}};
  const auto curved_cells = read_rows<std::int32_t>(file, "curved_cells", Dtype::int32, 0);
  require_nodes(file, curved_cells.size(), listed.nodes_a_cell());
  listed.nodes.resize(curved_cells.size() * listed.nodes_a_cell());
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

void require_fitting(bool fits) {
  if (!fits) throw hdf5::Failure("its regions or surfaces do not fit its elements");
}

void require_regions(const std::vector<std::int32_t>& regions, std::size_t names) {
  require_fitting(std::ranges::all_of(
      regions, [&](std::int32_t region) { return region >= -1 && region < static_cast<std::int32_t>(names); }));
}

void require_surfaces(const std::vector<Mesh::SurfaceFace>& faces, std::size_t names) {
  require_fitting(
      std::ranges::all_of(faces, [&](const auto& face) { return face.surface >= 0 && index(face.surface) < names; }));
}

void require_count(const std::string& group, const std::string& name, std::size_t values, std::size_t count,
                   const char* things) {
  if (values == count) return;
  throw hdf5::Failure(group + "/" + name + " has " + std::to_string(values) + " values for " + std::to_string(count) +
                      " " + things);
}

void require_consistent(const Mesh& mesh) {
  require_fitting(mesh.cell_region.size() == mesh.cells.size());
  require_regions(mesh.cell_region, mesh.regions.size());
  require_surfaces(mesh.surface_faces, mesh.surfaces.size());
  for (const auto& [name, values] : mesh.cell_values) {
    require_count(cell_values_group, name, values.size(), mesh.cells.size(), "cells");
  }
  for (const auto& [name, values] : mesh.vertex_values) {
    require_count(vertex_values_group, name, values.size(), mesh.vertices.size(), "vertices");
  }
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

/// Calls back, and makes a MeshError of what goes wrong with the file.
template <class Read>
auto reading(const std::filesystem::path& file, const Read& read) {
  hdf5::SilentErrors silent;
  try {
    return read();
  } catch (const hdf5::Failure& failure) {
    silent.stay();
    throw MeshError(file.string() + ": damaged, truncated or no mesh: " + failure.what() +
                    "; write it anew with maxwell_dg --convert");
  } catch (const std::bad_alloc&) {
    throw MeshError(file.string() + ": there is not enough memory for what it says it holds; is it damaged?");
  }
}

class Hdf5Rows : public MeshRows {
 public:
  Hdf5Rows(const std::filesystem::path& file, double scale) : file_(file), reader_(file), scale_(scale) {
    require_format(reader_);
    content = {.origin = file.string(),
               .vertices = count_rows(reader_, "vertices", 3),
               .cells = count_rows(reader_, "cells", 4),
               .surface_faces = count_rows(reader_, "surface_faces", 3),
               .regions = reader_.read_strings("regions"),
               .surfaces = reader_.read_strings("surfaces"),
               .cell_values = {},
               .vertex_values = {}};
    content.cell_values = names_in(cell_values_group, content.cells, "cells");
    content.vertex_values = names_in(vertex_values_group, content.vertices, "vertices");
    require_fitting(count_rows(reader_, "cell_region", 0) == content.cells &&
                    count_rows(reader_, "surface_face_surface", 0) == content.surface_faces);
    if (!reader_.has("curved_cells")) return;
    content.curved_order = order_of_curved(reader_);
    content.curved_cells = count_rows(reader_, "curved_cells", 0);
    require_nodes(reader_, content.curved_cells, nodes_a_cell());
  }

  [[nodiscard]] std::vector<Point> vertices(Piece piece) const override {
    return scaled(rows<Point>("vertices", Dtype::float64, piece));
  }
  [[nodiscard]] std::vector<std::array<std::int32_t, 4>> cells(Piece piece) const override {
    return rows<std::array<std::int32_t, 4>>("cells", Dtype::int32, piece);
  }
  [[nodiscard]] std::vector<std::int32_t> cell_region(Piece piece) const override {
    auto result = rows<std::int32_t>("cell_region", Dtype::int32, piece);
    reading(file_, [&] { require_regions(result, content.regions.size()); });
    return result;
  }
  [[nodiscard]] std::vector<Mesh::SurfaceFace> surface_faces(Piece piece) const override {
    const auto faces = rows<std::array<std::int32_t, 3>>("surface_faces", Dtype::int32, piece);
    const auto surface = rows<std::int32_t>("surface_face_surface", Dtype::int32, piece);
    std::vector<Mesh::SurfaceFace> result;
    for (std::size_t i = 0; i < faces.size(); ++i) result.push_back({faces[i], surface[i]});
    reading(file_, [&] { require_surfaces(result, content.surfaces.size()); });
    return result;
  }
  [[nodiscard]] std::vector<std::int32_t> curved_cells(Piece piece) const override {
    return rows<std::int32_t>("curved_cells", Dtype::int32, piece);
  }
  [[nodiscard]] std::vector<Point> curved_nodes(Piece piece) const override {
    return scaled(rows<Point>("curved_nodes", Dtype::float64, piece, nodes_a_cell()));
  }
  [[nodiscard]] std::vector<double> cell_values(const std::string& name, Piece piece) const override {
    return rows<double>(cell_values_group + ("/" + name), Dtype::float64, piece);
  }
  [[nodiscard]] std::vector<double> vertex_values(const std::string& name, Piece piece) const override {
    return rows<double>(vertex_values_group + ("/" + name), Dtype::float64, piece);
  }

 private:
  [[nodiscard]] std::size_t nodes_a_cell() const { return static_cast<std::size_t>(node_count(content.curved_order)); }

  [[nodiscard]] std::vector<std::string> names_in(const std::string& group, std::size_t count,
                                                  const char* things) const {
    if (!reader_.has(group)) return {};
    const std::vector<std::string> names = reader_.names(group);
    for (const std::string& name : names) {
      require_count(group, name, count_rows(reader_, group + "/" + name, 0), count, things);
    }
    return names;
  }

  [[nodiscard]] std::vector<Point> scaled(std::vector<Point> points) const {
    for (Point& p : points) {
      for (double& x : p) x *= scale_;
    }
    return points;
  }

  /// `values_a_row`: how many values of the type T make a row.
  template <class T>
  [[nodiscard]] std::vector<T> rows(const std::string& name, Dtype dtype, Piece piece,
                                    std::size_t values_a_row = 1) const {
    std::vector<T> values(piece.count * values_a_row);
    reading(file_, [&] { reader_.read_rows(name, dtype, piece.first, std::as_writable_bytes(std::span(values))); });
    return values;
  }

  std::filesystem::path file_;
  hdf5::Reader reader_;
  double scale_;
};

}  // namespace

Mesh read_hdf5_mesh(const std::filesystem::path& file) {
  return reading(file, [&] { return read_content(hdf5::Reader(file)); });
}

std::unique_ptr<MeshRows> open_hdf5_mesh(const std::filesystem::path& file, double scale) {
  return reading(file, [&] { return std::make_unique<Hdf5Rows>(file, scale); });
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
