#include "tests/support/round_layer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <span>
#include <utility>

#include <Eigen/Dense>

#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/geometry.hpp"
#include "tests/support/named_faces.hpp"

namespace maxwell_dg::dg::testing {

namespace {

constexpr double outer_radius = 1.6;

/// Flat elements and curved ones alike, which are moved along the radius.
bool is_in_feed(const Point& x) {
  return x[0] + x[1] < x[2];
}

using Corner = std::array<int, 3>;  ///< of a triangle of the octahedron |x| + |y| + |z| = divisions

/// The triangles of an octant of the octahedron, whose coordinates have these signs.
std::vector<std::array<Corner, 3>> triangles_of_octant(const std::array<int, 3>& signs, int divisions) {
  std::vector<std::array<Corner, 3>> triangles;
  const auto corner = [&](int x, int y) { return Corner{signs[0] * x, signs[1] * y, signs[2] * (divisions - x - y)}; };
  for (int x = 0; x < divisions; ++x) {
    for (int y = 0; x + y < divisions; ++y) {
      triangles.push_back({corner(x, y), corner(x + 1, y), corner(x, y + 1)});
      if (x + y + 1 < divisions) triangles.push_back({corner(x + 1, y + 1), corner(x + 1, y), corner(x, y + 1)});
    }
  }
  return triangles;
}

/// A matrix near the identity that maps the part's flat faces to themselves.
Eigen::Matrix3d shear(const RoundLayerShape& shape) {
  Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  if (shape.seed == 0 || shape.part == PartOfBall::eighth) return A;
  std::mt19937 random(shape.seed);
  std::uniform_real_distribution<double> value(-0.05, 0.05);
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) {
      if (shape.part == PartOfBall::whole || (i < 2 && j < 2)) A(i, j) += value(random);
    }
  }
  return A;
}

/// Of flat elements: the octahedron, and a shell of prisms around it, each cut into three tetrahedra.
Mesh flat_mesh(const RoundLayerShape& shape, const Eigen::Matrix3d& A) {
  Mesh mesh;
  mesh.vertices.push_back({0, 0, 0});
  std::map<Corner, std::int32_t> numbers;  // of the vertex within; those farther out follow it
  const auto vertex = [&](const Corner& corner) {
    const auto [found, is_new] = numbers.try_emplace(corner, static_cast<std::int32_t>(mesh.vertices.size()));
    if (is_new) {
      const Eigen::Vector3d x = A * Eigen::Vector3d(corner[0], corner[1], corner[2]) / shape.divisions;
      for (int layer = 0; layer <= shape.layers; ++layer) {
        const double size = 1 + (outer_radius - 1) * layer / shape.layers;
        mesh.vertices.push_back({size * x[0], size * x[1], size * x[2]});
      }
    }
    return found->second;
  };
  const std::vector<int> both{-1, 1}, above{1};
  const bool is_eighth = shape.part == PartOfBall::eighth, is_whole = shape.part == PartOfBall::whole;
  for (const int x : is_eighth ? above : both) {
    for (const int y : is_eighth ? above : both) {
      for (const int z : is_whole ? both : above) {
        for (const auto& triangle : triangles_of_octant({x, y, z}, shape.divisions)) {
          std::array<std::int32_t, 3> in{vertex(triangle[0]), vertex(triangle[1]), vertex(triangle[2])};
          std::ranges::sort(in);  // so that neighbours cut their common faces alike
          mesh.cells.push_back({0, in[0], in[1], in[2]});
          for (int layer = 0; layer < shape.layers; ++layer) {
            const std::array<std::int32_t, 3> out{in[0] + 1, in[1] + 1, in[2] + 1};
            mesh.cells.insert(
                mesh.cells.end(),
                {{in[0], in[1], in[2], out[2]}, {in[0], in[1], out[1], out[2]}, {in[0], out[0], out[1], out[2]}});
            in = out;
          }
        }
      }
    }
  }
  mesh.cell_region.assign(mesh.cells.size(), -1);
  if (shape.has_feed) {
    maxwell_dg::testing::name_faces(mesh, "shield", [](const Point& x) {
      return std::abs(x[0] + x[1] - x[2]) < 1e-9 && x[0] + x[1] + x[2] > 1 - 1e-9;
    });
  }
  prepare(mesh, "round layer", Orientation::any);
  return mesh;
}

/// Straightens edges of maps of order 2 but for those of the outer boundary.
void straighten_inner_edges(Mesh& mesh) {
  const std::vector<GeometryNode> places = geometry_nodes(2);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (!mesh.curved.is_curved(k)) continue;
    const std::array<Point, 4> corners = corners_of(mesh, k);
    const std::span<Point> nodes = mesh.curved.nodes_of(k);
    for (std::size_t n = 0; n < places.size(); ++n) {
      bool is_outer = true;
      for (std::size_t a = 0; a < 4; ++a) {
        if (places[n].at(a) > 0 && std::abs(length(corners.at(a)) - outer_radius) > 1e-9) is_outer = false;
      }
      if (!is_outer) nodes[n] = straight_node(corners, 2, places[n]);
    }
  }
}

/// Keeps the list of the PML's elements right while `order` gives cells other numbers.
template <class Order>
void while_cells_are_ordered(RoundLayer& round, const Order& order) {
  Mesh& mesh = round.mesh;
  mesh.cell_region.assign(mesh.cells.size(), -1);
  for (const std::int32_t k : round.layer) mesh.cell_region[index(k)] = 0;
  order();
  round.layer.clear();
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (mesh.cell_region[k] == 0) round.layer.push_back(static_cast<std::int32_t>(k));
  }
  mesh.cell_region.assign(mesh.cells.size(), -1);
}

}  // namespace

RoundLayer round_layer(const RoundLayerShape& shape) {
  const Eigen::Matrix3d A = shear(shape), inverse = A.inverse();
  RoundLayer made{.mesh = flat_mesh(shape, A), .layer = {}, .thickness = outer_radius - 1};
  const auto level_of = [&](const Point& x) { return (inverse * Eigen::Vector3d(x[0], x[1], x[2])).lpNorm<1>(); };
  for (std::size_t k = 0; k < made.mesh.cells.size(); ++k) {
    const Point centre = centroid(made.mesh, made.mesh.cells[k]);
    if (level_of(centre) < 1 || (shape.has_feed && is_in_feed(centre))) continue;
    made.layer.push_back(static_cast<std::int32_t>(k));
  }
  if (shape.has_feed) made.mesh.walls = {true};
  curve(made.mesh, shape.order, [&](const Point& x) {
    const double r = length(x), level = level_of(x);
    if (r == 0) return x;
    const double depth = (outer_radius - level) / (outer_radius - 1);
    const double by = shape.uneven * std::min(depth, level) * std::sin(5 * x[0] + 3 * x[1] - 4 * x[2]);
    const double factor = 1 + std::min(1.0, level * level) * (level / r - 1) + by;
    return Point{factor * x[0], factor * x[1], factor * x[2]};
  });
  if (shape.layers > 1) {
    straighten_inner_edges(made.mesh);
    while_cells_are_ordered(made, [&] { prepare(made.mesh, "round layer", Orientation::any); });
  }
  return made;
}

void name_core_and_shell(RoundLayer& round) {
  round.mesh.regions = {"core", "shell"};
  round.mesh.cell_region.assign(round.mesh.cells.size(), 0);
  for (const std::int32_t k : round.layer) round.mesh.cell_region[index(k)] = 1;
}

void count_layer_as_curved(RoundLayer& round) {
  std::vector<bool> is_in_layer(round.mesh.cells.size());
  for (const std::int32_t k : round.layer) is_in_layer[index(k)] = true;
  while_cells_are_ordered(round, [&] { count_as_curved(round.mesh, is_in_layer); });
}

int absorb_at_end_of_feed(const Discretization& discretization, Problem& problem) {
  const Mesh& mesh = discretization.mesh;
  int faces = 0;
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const auto& face = discretization.connectivity.boundary_faces[b];
    const auto& cell = mesh.cells[index(face.cell)];
    const bool is_outer = std::ranges::all_of(face_vertices.at(index(face.face)), [&](std::size_t corner) {
      return length(mesh.vertices[index(cell.at(corner))]) > outer_radius - 1e-9;
    });
    if (!is_outer || !is_in_feed(centroid(mesh, cell))) continue;
    problem.boundary[b] = problem.system.find_boundary("absorbing");
    ++faces;
  }
  return faces;
}

}  // namespace maxwell_dg::dg::testing
