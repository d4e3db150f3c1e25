#include "tests/support/ring.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "dg/mesh/curved/curved_mesh.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/support/round_guide.hpp"

namespace maxwell_dg::dg::testing {

namespace {

/// Of a square whose corners are on the axes.
double level(const Point& x) {
  return std::abs(x[0]) + std::abs(x[1]);
}

/// From such a square to the circle through its corners.
Point on_circle(const Point& x) {
  const double r = level(x), angle = std::numbers::pi / 2 * std::abs(x[1]) / r;
  return {std::copysign(r * std::cos(angle), x[0]), std::copysign(r * std::sin(angle), x[1]), x[2]};
}

}  // namespace

Mesh ring_mesh(const Ring& ring) {
  Mesh mesh = make_box({{0.3, 0, 0}, {1, 1, ring.height}, {ring.across, ring.around, ring.layers}});
  for (Point& x : mesh.vertices) x = {x[0] * (1 - x[1]), x[0] * x[1], x[2]};
  mesh.surfaces.clear();
  mesh.surface_faces.clear();
  for (int axis = 0; axis < ring.images; ++axis) {
    mesh = maxwell_dg::testing::with_mirror_image(mesh, static_cast<std::size_t>(axis));
  }
  if (ring.shield > 0) {
    maxwell_dg::testing::name_faces(mesh, "shield", [&](const Point& x) {
      constexpr double rounding = 1e-9;
      return std::abs(level(x) - ring.shield) < rounding && x[2] > ring.height / 2 - rounding;
    });
    mesh.walls = {true};
  }
  prepare(mesh, "ring", Orientation::any);
  if (ring.order > 1) {
    curve(mesh, ring.order, on_circle);
  } else {
    for (Point& x : mesh.vertices) x = on_circle(x);
  }
  return mesh;
}

}  // namespace maxwell_dg::dg::testing
