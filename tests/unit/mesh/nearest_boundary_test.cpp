#include "dg/mesh/nearest_boundary.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {
namespace {

/// Where lines from the origin meet the sphere of radius p[2], of which this is a piece.
Point on_sphere(const Point& p) {
  const double to = p[2] / std::sqrt(1 + p[0] * p[0] + p[1] * p[1]);
  return {to * p[0], to * p[1], to};
}

/// A piece of a shell: z_min is a part of the unit sphere, z_max one of the sphere of radius 2.
Mesh piece_of_shell(int order) {
  Mesh mesh = make_box({.min = {-0.4, -0.4, 1}, .max = {0.4, 0.4, 2}, .cells = {2, 2, 1}});
  curve(mesh, order, on_sphere);
  prepare(mesh, "shell", Orientation::any);
  return mesh;
}

TEST(NearestBoundary, of_a_curved_wall_is_on_the_wall_and_not_on_the_facet) {
  const Mesh mesh = piece_of_shell(6);
  ASSERT_TRUE(mesh.curved.any());
  const Connectivity connectivity = Connectivity::make(mesh);
  for (const auto& [radius, wall] :
       {std::pair{2.001, "z_max"}, {2.00001, "z_max"}, {0.999, "z_min"}, {0.99, "z_min"}}) {
    for (const Point& direction : {Point{0.21, 0.13, 1}, Point{-0.33, 0.07, 1}, Point{0.2, -0.2, 1}}) {
      const Point x = on_sphere({direction[0], direction[1], radius});
      const auto found = nearest_boundary(mesh, connectivity, x);
      ASSERT_TRUE(found);
      const double sphere = radius > 1.5 ? 2 : 1;
      EXPECT_EQ(found->surface, wall);
      EXPECT_NEAR(found->distance, std::abs(radius - sphere), 2e-6) << radius;
      EXPECT_LT(distance(found->at, on_sphere({direction[0], direction[1], sphere})), 1e-4) << radius;
    }
  }
}

TEST(NearestBoundary, of_straight_elements_is_on_the_facet) {
  const Mesh mesh = piece_of_shell(1);
  const Connectivity connectivity = Connectivity::make(mesh);
  const Point x = on_sphere({0.2, 0.1, 2});
  const auto found = nearest_boundary(mesh, connectivity, x);
  ASSERT_TRUE(found);
  EXPECT_GT(found->distance, 0.01);
  EXPECT_NEAR(found->distance, distance(found->at, x), 1e-12);
}

TEST(NearestBoundary, what_a_curved_mesh_spans_is_more_than_its_vertices) {
  const Mesh mesh = piece_of_shell(2);
  const Connectivity connectivity = Connectivity::make(mesh);
  // Above the middle of a face: higher than any vertex but one, and below the sphere's top.
  const std::string beyond = outside_text(mesh, connectivity, {0.1, 0.05, 2.1}, " m");
  EXPECT_TRUE(beyond.starts_with("lies outside of the mesh, which spans (")) << beyond;
  const std::string hole = outside_text(mesh, connectivity, on_sphere({0.1, 0.1, 0.99}), " m");
  EXPECT_TRUE(
      hole.starts_with("lies in no element: the mesh has a hole there, or ends before; its nearest boundary is "
                       "'z_min', 0.0"))
      << hole;
  EXPECT_TRUE(hole.ends_with(") m: inside 'z_min', or behind it?")) << hole;
}

}  // namespace
}  // namespace maxwell_dg::dg
