#include "dg/observe/surface_grid.hpp"

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

#include "core/atomic_file.hpp"
#include "dg/observe/base64.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::array<Point, 4> corners{{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};
constexpr std::uint8_t lagrange_triangle = 69;  // VTK's number of that type of cell

/// A face's vertices in its element, counter-clockwise seen from outside.
std::array<std::size_t, 3> outward(const Discretization& d, const ElementFace& f) {
  std::array<std::size_t, 3> v = face_vertices.at(static_cast<std::size_t>(f.face));
  const auto at = [&](std::size_t i) {
    return d.mesh.vertices[static_cast<std::size_t>(d.mesh.cells[f.element].at(v.at(i)))];
  };
  const Geometry::Face& g = d.geometry.faces[f.element].at(static_cast<std::size_t>(f.face));
  if (dot(cross(minus(at(1), at(0)), minus(at(2), at(0))), {g.nx, g.ny, g.nz}) < 0) std::swap(v[1], v[2]);
  return v;
}

/// As in files whose arrays are binary, inline and not compressed: the number of bytes, then the bytes.
template <class T>
void write_array(std::ostream& stream, const std::string& name, std::size_t components, const std::vector<T>& values) {
  const char* const type = std::is_same_v<T, float>          ? "Float32"
                           : std::is_same_v<T, double>       ? "Float64"
                           : std::is_same_v<T, std::uint8_t> ? "UInt8"
                           : sizeof(T) == 4                  ? "Int32"
                                                             : "Int64";
  stream << "        <DataArray type=\"" << type << "\" Name=\"" << name << "\" NumberOfComponents=\"" << components
         << "\" format=\"binary\">\n          ";
  const std::array<std::uint64_t, 1> size{values.size() * sizeof(T)};
  Base64 base64(stream);
  base64.write(std::as_bytes(std::span(size)));
  base64.write(std::as_bytes(std::span(values)));
  base64.finish();
  stream << "\n        </DataArray>\n";
}

}  // namespace

std::vector<std::array<int, 3>> lagrange_triangle_points(int N) {
  std::vector<std::array<int, 3>> points;
  for (int low = 0, order = N; order >= 0; ++low, order -= 3) {  // each ring of points within the one before
    const auto point = [&](int a, int b, int c) { points.push_back({low + a, low + b, low + c}); };
    if (order == 0) {
      point(0, 0, 0);
      break;
    }
    point(order, 0, 0);
    point(0, order, 0);
    point(0, 0, order);
    for (int i = 1; i < order; ++i) point(order - i, i, 0);
    for (int i = 1; i < order; ++i) point(0, order - i, i);
    for (int i = 1; i < order; ++i) point(i, 0, order - i);
  }
  return points;
}

SurfaceGrid::SurfaceGrid(const Discretization& discretization, const std::vector<ElementFace>& faces,
                         const std::vector<int>& surface, Dtype precision)
    : surface_(surface.begin(), surface.end()), precision_(precision) {
  const Mesh& mesh = discretization.mesh;
  const std::vector<std::array<int, 3>> weights = lagrange_triangle_points(discretization.N());
  for (const ElementFace& f : faces) {
    const std::array<std::size_t, 3> vertices = outward(discretization, f);
    for (const std::array<int, 3>& weight : weights) {
      PointLocation& location = points_.emplace_back(PointLocation{.cell = f.element});
      Point x{};
      for (std::size_t v = 0; v < 3; ++v) {
        const double share = static_cast<double>(weight.at(v)) / discretization.N();
        const Point& vertex = mesh.vertices[static_cast<std::size_t>(mesh.cells[f.element].at(vertices.at(v)))];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          location.rst.at(axis) += share * corners.at(vertices.at(v)).at(axis);
          x.at(axis) += share * vertex.at(axis);
        }
      }
      positions_.insert(positions_.end(), x.begin(), x.end());
    }
    region_.push_back(mesh.cell_region[f.element]);
    if (mesh.is_twice) imaginary_.push_back(f.element < mesh.cells.size() / 2 ? 0 : 1);
  }
}

void SurfaceGrid::write(const std::filesystem::path& file, std::span<const double> values, int field_count,
                        std::span<const VtkWriter::PointData> point_data) const {
  AtomicFile target(file);
  if (precision_ == Dtype::float32) {
    write_as<float>(target.stream(), values, field_count, point_data);
  } else {
    write_as<double>(target.stream(), values, field_count, point_data);
  }
  target.commit();
}

template <class T>
void SurfaceGrid::write_as(std::ostream& stream, std::span<const double> values, int field_count,
                           std::span<const VtkWriter::PointData> point_data) const {
  const std::size_t faces = region_.size(), a_face = faces == 0 ? 0 : points_.size() / faces;
  stream << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt64\">\n  <UnstructuredGrid>\n    <Piece NumberOfPoints=\""
         << points_.size() << "\" NumberOfCells=\"" << faces << "\">\n      <PointData>\n";
  for (const VtkWriter::PointData& data : point_data) {
    std::vector<T> numbers;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      for (std::size_t c = 0; c < data.fields.size(); ++c) {
        const auto place = p * static_cast<std::size_t>(field_count) + static_cast<std::size_t>(data.fields[c]);
        numbers.push_back(static_cast<T>(values[place] * data.factors[c]));
      }
    }
    write_array(stream, data.name, data.fields.size(), numbers);
  }
  stream << "      </PointData>\n      <CellData>\n";
  write_array(stream, "surface", 1, surface_);
  write_array(stream, "region", 1, region_);
  if (!imaginary_.empty()) write_array(stream, "imaginary", 1, imaginary_);
  stream << "      </CellData>\n      <Points>\n";
  write_array(stream, "Points", 3, std::vector<T>(positions_.begin(), positions_.end()));
  stream << "      </Points>\n      <Cells>\n";
  std::vector<std::int64_t> connectivity, offsets;
  for (std::size_t p = 0; p < points_.size(); ++p) connectivity.push_back(static_cast<std::int64_t>(p));
  for (std::size_t f = 1; f <= faces; ++f) offsets.push_back(static_cast<std::int64_t>(f * a_face));
  write_array(stream, "connectivity", 1, connectivity);
  write_array(stream, "offsets", 1, offsets);
  write_array(stream, "types", 1, std::vector<std::uint8_t>(faces, lagrange_triangle));
  stream << "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace maxwell_dg::dg
