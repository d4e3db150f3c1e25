#include <array>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/mesh_rows.hpp"

namespace maxwell_dg::dg {
namespace {

/// Numbers the grid points of a box, x fastest.
struct Grid {
  const Box& box;
  [[nodiscard]] std::int32_t number(const std::array<int, 3>& i) const {
    return i[0] + (box.cells[0] + 1) * (i[1] + (box.cells[1] + 1) * i[2]);
  }
  [[nodiscard]] Point point(const std::array<int, 3>& i) const {
    Point p;
    for (std::size_t d = 0; d < 3; ++d) {
      p[d] = i[d] == box.cells[d] ? box.max[d] : box.min[d] + (box.max[d] - box.min[d]) * i[d] / box.cells[d];
    }
    return p;
  }
};

void require_valid(const Box& box) {
  double tetrahedra = 6;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!(box.min[d] < box.max[d])) throw std::invalid_argument("box: min must be below max in every direction");
    if (box.cells[d] < 1) throw std::invalid_argument("box: cells must be at least 1 in every direction");
    tetrahedra *= box.cells[d];
  }
  // Faces are numbered 4 * cell + face in 32 bits.
  if (tetrahedra >= double{1 << 29}) throw std::invalid_argument("box: more than 2^29 tetrahedra");
}

/// Kuhn's cut: one tetrahedron for each order of the axes, walking from corner 000 to corner 111 one axis at a time.
/// Neighbouring cuboids cut their common face alike. The even orders are right-handed; the odd ones swap two corners.
std::array<std::int32_t, 4> kuhn_tetrahedron(const Grid& grid, const std::array<int, 3>& corner, std::size_t order) {
  static constexpr std::array<std::array<int, 3>, 6> axes{
      {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
  std::array<int, 3> at = corner;
  std::array<std::int32_t, 4> cell{grid.number(at)};
  for (std::size_t step = 0; step < 3; ++step) {
    ++at[axes[order][step]];
    cell[step + 1] = grid.number(at);
  }
  if (order >= 3) std::swap(cell[1], cell[2]);
  return cell;
}

/// Two triangles on each square of the sides normal to `axis`, cut along the diagonal that Kuhn's tetrahedra use.
void add_sides(std::vector<Mesh::SurfaceFace>& faces, const Grid& grid, std::size_t axis) {
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto& cells = grid.box.cells;
  for (int side = 0; side < 2; ++side) {
    const auto surface = static_cast<std::int32_t>(2 * axis) + side;
    for (int i = 0; i < cells[u]; ++i) {
      for (int j = 0; j < cells[v]; ++j) {
        const auto corner = [&](int du, int dv) {
          std::array<int, 3> at{};
          at[axis] = side * cells[axis];
          at[u] = i + du;
          at[v] = j + dv;
          return grid.number(at);
        };
        faces.push_back({{corner(0, 0), corner(1, 0), corner(1, 1)}, surface});
        faces.push_back({{corner(0, 0), corner(0, 1), corner(1, 1)}, surface});
      }
    }
  }
}

class BoxRows : public MeshRows {
 public:
  explicit BoxRows(const Box& box) : box_(box) {
    require_valid(box_);
    const auto n = [&](std::size_t axis) { return static_cast<std::size_t>(box_.cells[axis]); };
    for (std::size_t axis = 0; axis < 3; ++axis) add_sides(sides_, grid_, axis);
    content = {.origin = "box",
               .vertices = (n(0) + 1) * (n(1) + 1) * (n(2) + 1),
               .cells = 6 * n(0) * n(1) * n(2),
               .surface_faces = sides_.size(),
               .regions = {"interior"},
               .surfaces = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"},
               .cell_values = {},
               .vertex_values = {}};
  }

  [[nodiscard]] std::vector<Point> vertices(Piece piece) const override {
    const auto [nx, ny, nz] = box_.cells;
    return rows<Point>(piece, [&](std::size_t v) { return grid_.point(place(v, nx + 1, ny + 1)); });
  }
  [[nodiscard]] std::vector<std::array<std::int32_t, 4>> cells(Piece piece) const override {
    const auto [nx, ny, nz] = box_.cells;
    return rows<std::array<std::int32_t, 4>>(
        piece, [&](std::size_t k) { return kuhn_tetrahedron(grid_, place(k / 6, nx, ny), k % 6); });
  }
  [[nodiscard]] std::vector<std::int32_t> cell_region(Piece piece) const override {
    return std::vector<std::int32_t>(piece.count, 0);
  }
  [[nodiscard]] std::vector<Mesh::SurfaceFace> surface_faces(Piece piece) const override {
    return rows<Mesh::SurfaceFace>(piece, [&](std::size_t face) { return sides_[face]; });
  }
  [[nodiscard]] std::vector<std::int32_t> curved_cells(Piece) const override { return {}; }
  [[nodiscard]] std::vector<Point> curved_nodes(Piece) const override { return {}; }
  [[nodiscard]] std::vector<double> cell_values(const std::string&, Piece) const override { return {}; }
  [[nodiscard]] std::vector<double> vertex_values(const std::string&, Piece) const override { return {}; }

 private:
  /// Of a number that counts x fastest, so many along x and y.
  static std::array<int, 3> place(std::size_t number, int nx, int ny) {
    const auto x = static_cast<std::size_t>(nx), y = static_cast<std::size_t>(ny);
    return {static_cast<int>(number % x), static_cast<int>(number / x % y), static_cast<int>(number / (x * y))};
  }
  template <class Row, class RowAt>
  static std::vector<Row> rows(Piece piece, const RowAt& row_at) {
    std::vector<Row> result;
    result.reserve(piece.count);
    for (std::size_t i = 0; i < piece.count; ++i) result.push_back(row_at(piece.first + i));
    return result;
  }

  Box box_;
  Grid grid_{box_};
  std::vector<Mesh::SurfaceFace> sides_;
};

}  // namespace

std::unique_ptr<const MeshRows> rows_of(const Box& box) {
  return std::make_unique<const BoxRows>(box);
}

Mesh make_box(const Box& box) {
  const BoxRows rows(box);
  const MeshRows::Content& all = rows.content;
  Mesh mesh{.vertices = rows.vertices({0, all.vertices}),
            .cells = rows.cells({0, all.cells}),
            .cell_region = rows.cell_region({0, all.cells}),
            .regions = all.regions,
            .surface_faces = rows.surface_faces({0, all.surface_faces}),
            .surfaces = all.surfaces};
  prepare(mesh, all.origin);
  return mesh;
}

void distort(Mesh& mesh, double by) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> distribution(-by, by);
  std::vector<Point> shift(mesh.vertices.size());
  for (Point& of_vertex : shift) {
    for (double& x : of_vertex) x = distribution(random);
  }
  move_vertices(mesh, shift);
}

}  // namespace maxwell_dg::dg
