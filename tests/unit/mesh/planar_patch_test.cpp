#include "dg/mesh/planar_patch.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::dg {
namespace {

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

TEST(PlanarPatch, has_no_curved_faces_but_may_have_straight_ones_of_curved_elements) {
  Sides sides("z_max");
  sides.mesh = make_box({.min = {0, 0, 0}, .max = {3, 2, 1}, .cells = {3, 2, 1}});
  curve(sides.mesh, 2, [](const Point& p) { return Point{p[0], p[1], p[2] + 0.1 * p[2] * (1 - p[2]) * p[0]}; });
  ASSERT_EQ(sides.mesh.curved.count(), sides.mesh.cells.size());
  sides.geometry = Geometry::make(sides.mesh);
  EXPECT_NEAR(sides.patch().area, 6, 1e-12);
  sides.mesh = make_box({.min = {0, 0, 0}, .max = {3, 2, 1}, .cells = {3, 2, 1}});
  curve(sides.mesh, 2, [](const Point& p) { return Point{p[0], p[1] + 0.1 * p[1] * p[1], p[2]}; });  // in the plane
  EXPECT_NE(refusal([&] { return sides.patch(); }).find("has a face that is curved"), std::string::npos);
}

}  // namespace
}  // namespace maxwell_dg::dg
