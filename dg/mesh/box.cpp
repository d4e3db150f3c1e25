#include <array>
#include <random>
#include <stdexcept>

#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/mesh.hpp"

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
void add_kuhn_tetrahedra(Mesh& mesh, const Grid& grid, const std::array<int, 3>& corner) {
  static constexpr std::array<std::array<int, 3>, 6> axes{
      {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
  for (std::size_t order = 0; order < axes.size(); ++order) {
    std::array<int, 3> at = corner;
    std::array<std::int32_t, 4> cell{grid.number(at)};
    for (std::size_t step = 0; step < 3; ++step) {
      ++at[axes[order][step]];
      cell[step + 1] = grid.number(at);
    }
    if (order >= 3) std::swap(cell[1], cell[2]);
    mesh.cells.push_back(cell);
  }
}

/// Two triangles on each square of the sides normal to `axis`, cut along the diagonal that Kuhn's tetrahedra use.
void add_sides(Mesh& mesh, const Grid& grid, std::size_t axis) {
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
        mesh.surface_faces.push_back({{corner(0, 0), corner(1, 0), corner(1, 1)}, surface});
        mesh.surface_faces.push_back({{corner(0, 0), corner(0, 1), corner(1, 1)}, surface});
      }
    }
  }
}

}  // namespace

Mesh make_box(const Box& box) {
  require_valid(box);
  const Grid grid{box};
  const auto [nx, ny, nz] = box.cells;
  Mesh mesh;
  mesh.regions = {"interior"};
  mesh.surfaces = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  mesh.vertices.reserve(static_cast<std::size_t>(nx + 1) * (ny + 1) * (nz + 1));
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) mesh.vertices.push_back(grid.point({i, j, k}));
    }
  }
  mesh.cells.reserve(static_cast<std::size_t>(6) * nx * ny * nz);
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) add_kuhn_tetrahedra(mesh, grid, {i, j, k});
    }
  }
  mesh.cell_region.assign(mesh.cells.size(), 0);
  for (std::size_t axis = 0; axis < 3; ++axis) add_sides(mesh, grid, axis);
  prepare(mesh, "box");
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
