#include "dg/mesh/planar_patch.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

using std::numbers::pi;
constexpr double angle = 0.4;

/// Exterior faces of these surfaces of a box of 3 x 2 x 1 that is turned about y.
struct Sides {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {3, 2, 1}, .cells = {3, 2, 1}});
  Geometry geometry;
  std::vector<ElementFace> faces;

  explicit Sides(const std::string& names) {
    for (Point& x : mesh.vertices) {
      x = {std::cos(angle) * x[0] + std::sin(angle) * x[2], x[1], std::cos(angle) * x[2] - std::sin(angle) * x[0]};
    }
    geometry = Geometry::make(mesh);
    const Connectivity connectivity = Connectivity::make(mesh);
    for (const auto& face : connectivity.boundary_faces) {
      const std::string& name = mesh.surfaces.at(static_cast<std::size_t>(face.surface));
      if (names.find(name) != std::string::npos) faces.push_back({static_cast<std::size_t>(face.cell), face.face});
    }
  }
  [[nodiscard]] PlanarPatch patch() const { return PlanarPatch::make(mesh, geometry, faces); }
};

template <class Call>
std::string refusal(const Call& call) {
  try {
    (void)call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(PlanarPatch, a_side_of_a_turned_box_is_its_rectangle) {
  const Sides sides("z_max");
  const PlanarPatch patch = sides.patch();
  EXPECT_NEAR(patch.area, 6, 1e-12);
  ASSERT_EQ(patch.outlines.size(), 1U);
  EXPECT_EQ(patch.outlines[0].size(), 10U);
  const Rectangle r = Rectangle::of(sides.mesh, patch);
  EXPECT_NEAR(r.a, 3, 1e-12);
  EXPECT_NEAR(r.b, 2, 1e-12);
  EXPECT_NEAR(r.u[0], std::cos(angle), 1e-12);
  EXPECT_NEAR(r.u[2], -std::sin(angle), 1e-12);
  EXPECT_NEAR(r.v[1], 1, 1e-12);
  EXPECT_NEAR(r.corner[0], std::sin(angle), 1e-12);  // of (0, 0, 1)
  EXPECT_NEAR(r.corner[1], 0, 1e-12);
  EXPECT_NEAR(r.corner[2], std::cos(angle), 1e-12);
}

TEST(PlanarPatch, two_sides_are_not_planar) {
  EXPECT_EQ(refusal([] { return Sides("z_max x_max").patch(); }), "is not planar");
  EXPECT_EQ(refusal([] { return Sides("z_max z_min").patch(); }), "is not planar");
}

TEST(PlanarPatch, a_part_of_a_side_is_no_rectangle) {
  Sides sides("z_max");
  sides.faces.erase(sides.faces.begin());
  EXPECT_NE(refusal([&] { return Rectangle::of(sides.mesh, sides.patch()); }).find("is not a rectangle"),
            std::string::npos);
}

TEST(PlanarPatch, may_be_curved_in_its_plane_but_not_out_of_it) {
  const auto curved_by = [](const std::function<Point(const Point&)>& map) {
    Sides sides("z_max");
    sides.mesh = make_box({.min = {0, 0, 0}, .max = {3, 2, 1}, .cells = {3, 2, 1}});
    curve(sides.mesh, 2, map);
    sides.geometry = Geometry::make(sides.mesh);
    return sides;
  };
  const Sides inside = curved_by([](const Point& p) {  // straight faces of curved elements
    return Point{p[0], p[1], p[2] + 0.1 * p[2] * (1 - p[2]) * p[0]};
  });
  ASSERT_EQ(inside.mesh.curved.count(), inside.mesh.cells.size());
  EXPECT_NEAR(inside.patch().area, 6, 1e-12);
  const Sides in_plane = curved_by([](const Point& p) { return Point{p[0], p[1] + 0.1 * p[0] * (3 - p[0]), p[2]}; });
  EXPECT_NEAR(in_plane.patch().area, 6, 1e-12);
  const Sides wider = curved_by([](const Point& p) {
    return Point{p[0], p[1] + 0.1 * p[1] * p[0] * (3 - p[0]), p[2]};
  });
  EXPECT_NEAR(wider.patch().area, 6 + 0.2 * 4.5, 1e-12);  // the integral of x (3 - x)
  const Sides bent = curved_by([](const Point& p) {       // its vertices are still in the plane
    return Point{p[0], p[1], p[2] + 0.02 * p[2] * std::pow(std::sin(pi * p[0]), 2)};
  });
  EXPECT_EQ(refusal([&] { return bent.patch(); }), "is not planar");
}

}  // namespace
}  // namespace maxwell_dg::dg
