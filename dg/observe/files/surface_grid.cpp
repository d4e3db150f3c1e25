#include "dg/observe/files/surface_grid.hpp"

#include <array>
#include <utility>

#include "dg/mesh/face_map.hpp"
#include "dg/observe/files/lagrange_nodes.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::array<Point, 4> corners{{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

/// [face] its vertices in the element, counter-clockwise as seen from outside.
std::array<std::size_t, 3> outward(const Discretization& d, const ElementFace& f) {
  std::array<std::size_t, 3> v = face_vertices.at(static_cast<std::size_t>(f.face));
  const auto at = [&](std::size_t i) {
    return d.mesh.vertices[static_cast<std::size_t>(d.mesh.cells[f.element].at(v.at(i)))];
  };
  const Geometry::Face& g = d.geometry.faces[f.element].at(static_cast<std::size_t>(f.face));
  if (dot(cross(minus(at(1), at(0)), minus(at(2), at(0))), {g.nx, g.ny, g.nz}) < 0) std::swap(v[1], v[2]);
  return v;
}

/// [face][node] in VTK's order.
std::vector<PointLocation> locate_nodes(const Discretization& d, const std::vector<ElementFace>& faces) {
  const std::vector<std::array<int, 3>> nodes = lagrange_triangle_nodes(d.N());
  std::vector<PointLocation> locations;
  for (const ElementFace& f : faces) {
    const std::array<std::size_t, 3> vertices = outward(d, f);
    for (const std::array<int, 3>& weights : nodes) {
      PointLocation& location = locations.emplace_back(PointLocation{.cell = f.element});
      for (std::size_t v = 0; v < 3; ++v) {
        const double share = static_cast<double>(weights.at(v)) / d.N();
        for (std::size_t axis = 0; axis < 3; ++axis) {
          location.rst.at(axis) += share * corners.at(vertices.at(v)).at(axis);
        }
      }
    }
  }
  return locations;
}

/// [node][axis] in space.
std::vector<double> positions_of(const Mesh& mesh, std::span<const PointLocation> nodes) {
  std::vector<double> positions;
  for (const PointLocation& node : nodes) {
    const Point x = position_of(mesh, node);
    positions.insert(positions.end(), x.begin(), x.end());
  }
  return positions;
}

std::vector<VtuGrid::IntegerCellData> cell_data_of(const Discretization& discretization,
                                                   const std::vector<ElementFace>& faces,
                                                   const std::vector<int>& surface) {
  std::vector<std::size_t> elements;
  for (const ElementFace& f : faces) elements.push_back(f.element);
  std::vector<VtuGrid::IntegerCellData> data = region_data(discretization, elements);
  data.insert(data.begin(), {.name = "surface", .values = {surface.begin(), surface.end()}});
  return data;
}

}  // namespace

std::vector<Point> surface_normals(const Discretization& d, const std::vector<ElementFace>& faces) {
  const std::vector<std::array<int, 3>> nodes = lagrange_triangle_nodes(d.N());
  const auto at_nodes = [&](std::size_t second, std::size_t third) {  // of a face's vertices, as `outward` has them
    TriangleQuadrature points;
    for (const std::array<int, 3>& weights : nodes) {
      points.r.push_back(2.0 * weights.at(second) / d.N() - 1);
      points.s.push_back(2.0 * weights.at(third) / d.N() - 1);
      points.weights.push_back(1);
    }
    return FaceMap(d.mesh, points);
  };
  const FaceMap as_it_is = at_nodes(1, 2), turned = at_nodes(2, 1);
  std::vector<Point> normals;
  for (const ElementFace& f : faces) {
    const bool is_turned = outward(d, f) != face_vertices.at(static_cast<std::size_t>(f.face));
    for (const FaceMap::At& at : (is_turned ? turned : as_it_is).at(f)) {
      const Point n = cross(at.by_r, at.by_s);
      const double size = (is_turned ? -1 : 1) * length(n);
      normals.push_back({n[0] / size, n[1] / size, n[2] / size});
    }
  }
  return normals;
}

SurfaceGrid::SurfaceGrid(const Discretization& discretization, const std::vector<ElementFace>& faces,
                         const std::vector<int>& surface, Dtype precision, const std::vector<MirroredPart>& parts)
    : nodes_(locate_nodes(discretization, faces)),
      precision_(precision),
      grid_({.cell = VtkCell::lagrange_triangle,
             .nodes_per_cell = static_cast<std::size_t>(discretization.reference.Nfp),
             .cells = faces.size(),
             .positions =
                 [&mesh = discretization.mesh, nodes = nodes_,
                  Nfp = static_cast<std::size_t>(discretization.reference.Nfp)](std::size_t first, std::size_t cells) {
                   return positions_of(mesh, std::span(nodes).subspan(first * Nfp, cells * Nfp));
                 },
             .integer_data = cell_data_of(discretization, faces, surface),
             .parts = parts,
             .reflected_order = reflected_order(lagrange_triangle_nodes(discretization.N()))},
            precision) {}

std::vector<Point> SurfaceGrid::positions(const Mesh& mesh) const {
  std::vector<Point> positions;
  for (const PointLocation& node : nodes_) positions.push_back(position_of(mesh, node));
  return positions;
}

void SurfaceGrid::write(const std::filesystem::path& file, std::span<const double> values, int field_count,
                        std::span<const VtkWriter::PointData> point_data) {
  grid_.write(file, [&](VtuArrays& arrays) {
    for (const VtkWriter::PointData& data : point_data) {
      if (precision_ == Dtype::float32) {
        add<float>(arrays, values, field_count, data);
      } else {
        add<double>(arrays, values, field_count, data);
      }
    }
  });
}

template <class T>
void SurfaceGrid::add(VtuArrays& arrays, std::span<const double> values, int field_count,
                      const VtkWriter::PointData& data) const {
  std::vector<T> numbers;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (std::size_t c = 0; c < data.fields.size(); ++c) {
      const auto place = n * static_cast<std::size_t>(field_count) + static_cast<std::size_t>(data.fields[c]);
      numbers.push_back(static_cast<T>(values[place] * data.factors[c]));
    }
  }
  arrays.add<T>(data.name, data.fields.size(), in_all_parts(std::move(numbers), data.signs));
}

}  // namespace maxwell_dg::dg
