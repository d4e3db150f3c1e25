#include "tests/convergence/ball_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

using Cell = std::array<std::int32_t, 4>;

// A vertex of the flat icosahedron with its level: 0 at the centre, 1 on the surface, linear in each first tetrahedron.
struct FlatVertex {
  Point x;
  double level;
};

double determinant(const Point& a, const Point& b, const Point& c) {
  return dot(a, cross(b, c));
}

class Icosahedron {
 public:
  Icosahedron() {
    vertices.push_back({{0, 0, 0}, 0.0});
    const double scale = 1 / std::hypot(1.0, std::numbers::phi);
    for (const double s : {-1.0, 1.0}) {
      for (const double l : {-std::numbers::phi, std::numbers::phi}) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          Point x{};
          x[(axis + 1) % 3] = s * scale;
          x[(axis + 2) % 3] = l * scale;
          vertices.push_back({x, 1.0});
        }
      }
    }
    // Three vertices make a face when all their distances are that of an edge, 2 before scaling.
    const auto is_edge = [&](std::int32_t a, std::int32_t b) {
      return std::abs(distance(at(a).x, at(b).x) - 2 * scale) < 1e-9;
    };
    for (std::int32_t a = 1; a <= 12; ++a) {
      for (std::int32_t b = a + 1; b <= 12; ++b) {
        for (std::int32_t c = b + 1; c <= 12; ++c) {
          if (is_edge(a, b) && is_edge(b, c) && is_edge(a, c)) cells.push_back({0, a, b, c});
        }
      }
    }
  }

  // Bey's red refinement: four corners, and the octahedron between them cut along one of its diagonals.
  void refine() {
    std::vector<Cell> finer;
    for (const Cell& c : cells) {
      const auto m = [&](std::size_t i, std::size_t j) { return midpoint(c[i], c[j]); };
      const std::int32_t m01 = m(0, 1), m02 = m(0, 2), m03 = m(0, 3), m12 = m(1, 2), m13 = m(1, 3), m23 = m(2, 3);
      finer.insert(finer.end(), {Cell{c[0], m01, m02, m03}, Cell{m01, c[1], m12, m13}, Cell{m02, m12, c[2], m23},
                                 Cell{m03, m13, m23, c[3]}, Cell{m01, m02, m03, m13}, Cell{m01, m02, m12, m13},
                                 Cell{m02, m03, m13, m23}, Cell{m02, m12, m13, m23}});
    }
    cells = std::move(finer);
  }

  [[nodiscard]] Point on_ball(const FlatVertex& v) const {
    const double r = length(v.x);
    if (r == 0) return v.x;
    const double factor = v.level / r;
    return {factor * v.x[0], factor * v.x[1], factor * v.x[2]};
  }

  /// By how much the sphere of a level is to grow so that the polyhedron inscribed in it has the volume of its ball.
  [[nodiscard]] double growth(double level) const {
    double six_volumes = 0;
    for (const Cell& c : cells) {
      const bool is_inside = std::ranges::all_of(c, [&](std::int32_t v) { return at(v).level < level + 1e-9; });
      if (!is_inside) continue;
      const Point origin = on_ball(at(c[0]));
      const auto edge = [&](std::size_t i) { return minus(on_ball(at(c[i])), origin); };
      six_volumes += std::abs(determinant(edge(1), edge(2), edge(3)));
    }
    return level * std::cbrt(8 * std::numbers::pi / six_volumes);
  }

  std::vector<FlatVertex> vertices;
  std::vector<Cell> cells;

 private:
  [[nodiscard]] const FlatVertex& at(std::int32_t v) const { return vertices[static_cast<std::size_t>(v)]; }

  std::int32_t midpoint(std::int32_t a, std::int32_t b) {
    const auto [found, is_new] =
        midpoints_.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<std::int32_t>(vertices.size()));
    if (is_new) {
      const FlatVertex p = at(a), q = at(b);
      vertices.push_back(
          {{(p.x[0] + q.x[0]) / 2, (p.x[1] + q.x[1]) / 2, (p.x[2] + q.x[2]) / 2}, (p.level + q.level) / 2});
    }
    return found->second;
  }

  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> midpoints_;
};

}  // namespace

Mesh make_ball(int levels, Facets facets) {
  Icosahedron flat;
  for (int i = 0; i < levels; ++i) flat.refine();

  Mesh mesh;
  mesh.regions = {"interior"};
  mesh.surfaces = {"wall"};
  std::map<long, double> growth;  // by the number of the shell
  for (const FlatVertex& v : flat.vertices) {
    const auto [found, is_new] = growth.try_emplace(std::lround(std::ldexp(v.level, levels)), 1.0);
    if (is_new && facets == Facets::of_equal_volume && v.level > 0) found->second = flat.growth(v.level);
    const Point x = flat.on_ball(v);
    mesh.vertices.push_back({found->second * x[0], found->second * x[1], found->second * x[2]});
  }
  const auto vertex = [&](std::int32_t v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
  for (Cell cell : flat.cells) {
    const Point origin = vertex(cell[0]);
    if (determinant(minus(vertex(cell[1]), origin), minus(vertex(cell[2]), origin), minus(vertex(cell[3]), origin)) <
        0) {
      std::swap(cell[2], cell[3]);
    }
    mesh.cells.push_back(cell);
    std::array<std::int32_t, 4> outer{};
    std::size_t count = 0;
    for (const std::int32_t v : cell) {
      if (flat.vertices[static_cast<std::size_t>(v)].level > 1 - 1e-9) outer[count++] = v;
    }
    if (count != 3) continue;
    std::sort(outer.begin(), outer.begin() + 3);
    mesh.surface_faces.push_back({{outer[0], outer[1], outer[2]}, 0});
  }
  mesh.cell_region.assign(mesh.cells.size(), 0);
  prepare(mesh, "icosahedral ball");
  return mesh;
}

Mesh make_round_ball(int levels, int order, int power) {
  Mesh mesh = make_ball(levels);
  std::vector<Point> normals;  // of the icosahedron's faces, to vertices of a dodecahedron
  constexpr double phi = std::numbers::phi;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-1.0, 1.0}) {
      for (const double c : {-1.0, 1.0}) normals.push_back({a, b, c});
      normals.insert(normals.end(), {{a / phi, 0, b * phi}, {a * phi, b / phi, 0}, {0, a * phi, b / phi}});
    }
  }
  const double inradius = std::sqrt((5 + 2 * std::sqrt(5.0)) / 15);  // over that of the vertices
  const auto level = [&](const Point& x) {                           // 1 on the icosahedron
    double most = 0;
    for (const Point& n : normals) most = std::max(most, dot(n, x) / std::sqrt(3.0));
    return most / inradius;
  };
  const auto scaled = [](const Point& x, double factor) { return Point{factor * x[0], factor * x[1], factor * x[2]}; };
  for (Point& x : mesh.vertices) {  // from the spheres to the flat icosahedra
    const double r = length(x);
    if (r > 0) x = scaled(x, r / level(x));
  }
  curve(mesh, order, [&](const Point& x) {
    const double r = length(x), l = level(x);
    return r > 0 ? scaled(x, 1 + std::pow(l, power) * (l / r - 1)) : x;
  });
  return mesh;
}

}  // namespace maxwell_dg::dg
