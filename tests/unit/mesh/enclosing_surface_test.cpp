#include "dg/mesh/enclosing_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "dg/mesh/geometry.hpp"

namespace maxwell_dg::dg {
namespace {

/// The cells of a box whose centroid fulfils a condition.
template <class Condition>
std::vector<bool> cells_where(const Mesh& mesh, const Condition& condition) {
  std::vector<bool> result;
  for (const auto& cell : mesh.cells) result.push_back(condition(centroid(mesh, cell)));
  return result;
}

TEST(EnclosingSurface, is_closed_and_looks_inwards_and_leaves_out_the_boundary) {
  const Mesh mesh = make_box({.min = {0, 0, 0}, .max = {4, 4, 4}, .cells = {4, 4, 4}});
  const Connectivity connectivity = Connectivity::make(mesh);
  const Geometry geometry = Geometry::make(mesh);
  const auto inner = cells_where(mesh, [](const Point& x) {
    return std::max({std::abs(x[0] - 2), std::abs(x[1] - 2), std::abs(x[2] - 2)}) < 1;
  });
  const auto faces = enclosing_surface(connectivity, inner);
  EXPECT_EQ(faces.size(), 6U * 4 * 2);  // two triangles for each of four squares a side
  Point sum{};
  for (const ElementFace& f : faces) {
    EXPECT_FALSE(inner[f.element]);
    const auto& face = geometry.faces[f.element][static_cast<std::size_t>(f.face)];
    const double sJ = face.Fscale * std::abs(geometry.J[f.element]);
    const std::array n{face.nx, face.ny, face.nz};
    const Point c = centroid(mesh, mesh.cells[f.element]);
    EXPECT_LT((c[0] - 2) * n[0] + (c[1] - 2) * n[1] + (c[2] - 2) * n[2], 0);
    for (std::size_t i = 0; i < 3; ++i) sum[i] += sJ * n.at(i);
  }
  for (const double s : sum) EXPECT_NEAR(s, 0, 1e-12);

  const auto slab = cells_where(mesh, [](const Point& x) { return x[2] < 1; });
  EXPECT_EQ(enclosing_surface(connectivity, slab).size(), 16U * 2) << "not its sides, not its bottom";
  EXPECT_TRUE(enclosing_surface(connectivity, std::vector<bool>(mesh.cells.size(), true)).empty());
}

}  // namespace
}  // namespace maxwell_dg::dg
