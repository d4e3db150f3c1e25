#include "dg/mesh/periodic.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/discretization.hpp"

namespace maxwell_dg::dg {
namespace {

/// A box of three layers along x and y, and four along z, its inner vertices moved.
Mesh uneven_box() {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 2, 3}, .cells = {3, 3, 4}});
  for (Point& p : mesh.vertices) {
    const bool inner = p[0] > 0 && p[0] < 1 && p[1] > 0 && p[1] < 2 && p[2] > 0 && p[2] < 3;
    if (inner) p = {p[0] + 0.05 * std::sin(9 * p[1]), p[1] + 0.1 * std::sin(8 * p[2]), p[2] - 0.1 * std::sin(7 * p[0])};
  }
  return mesh;
}

const std::vector<PeriodicPair> all_three{{"x_min", "x_max", "x"}, {"y_min", "y_max", "y"}, {"z_min", "z_max", "z"}};

/// Nodes of both sides of every inner face are the same points, or differ by a whole number of periods.
void expect_faces_fit(const Mesh& mesh, int order, const Point& period) {
  const Discretization d(mesh, order);
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t other = d.connectivity.neighbours[k][f];
      if (other < 0) continue;
      for (int i = 0; i < d.Nfp(); ++i) {
        const Point difference = minus(d.node(k, d.reference.Fmask(i, static_cast<int>(f))),
                                       d.node(static_cast<std::size_t>(other / 4), d.reference.Fmask(i, other % 4)));
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double periods = difference[axis] / period[axis];
          ASSERT_NEAR(periods, std::round(periods), 1e-9) << "element " << k << ", face " << f << ", node " << i;
        }
      }
    }
  }
}

TEST(Periodic, joined_faces_list_their_nodes_alike) {
  for (std::size_t pairs = 1; pairs <= 3; ++pairs) {
    Mesh mesh = uneven_box();
    const std::vector<Point> before = mesh.vertices;
    join_periodic(mesh, std::span(all_three).first(pairs));
    EXPECT_EQ(mesh.vertices, before);
    const Connectivity connectivity = Connectivity::make(mesh);
    const std::size_t x_faces = 2 * 2 * 3 * 4, y_faces = 2 * 2 * 3 * 4, z_faces = 2 * 2 * 3 * 3;
    const std::size_t left = pairs == 1 ? y_faces + z_faces : pairs == 2 ? z_faces : 0;
    EXPECT_EQ(connectivity.boundary_faces.size(), left) << "of " << x_faces + y_faces + z_faces;
    for (const auto& face : connectivity.boundary_faces) EXPECT_GE(face.surface, 0);
    for (const int order : {1, 3, 4}) expect_faces_fit(mesh, order, {1, 2, 3});
  }
}

std::string complaint(Mesh mesh, const std::string& first, const std::string& second) {
  try {
    join_periodic(mesh, std::vector<PeriodicPair>{{first, second, "here"}});
  } catch (const MeshError& error) {
    return error.what();
  }
  return "none";
}

TEST(Periodic, surfaces_that_do_not_match_are_named_with_a_place) {
  EXPECT_EQ(
      complaint(uneven_box(), "x_min", "z_min"),
      "here: the surfaces 'x_min' and 'z_min' do not match: they have 24 and 18 exterior triangles; mesh them alike, "
      "in Gmsh with Periodic Surface");
  Mesh moved = uneven_box();
  for (Point& p : moved.vertices) {
    if (p[0] == 1 && p[1] > 0 && p[1] < 1 && p[2] > 0 && p[2] < 1) p[1] += 0.01;
  }
  EXPECT_NE(complaint(moved, "x_min", "x_max").find("do not match: the vertex at (0, "), std::string::npos)
      << complaint(moved, "x_min", "x_max");
  const Box mirrored{.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 3, 3}};
  Mesh mesh = make_box(mirrored);
  for (auto& face : mesh.surface_faces) face.surface = face.surface == 3 ? 0 : face.surface == 0 ? 3 : face.surface;
  EXPECT_NE(complaint(mesh, "x_min", "x_max").find("do not match: the vertex at ("), std::string::npos);
}

TEST(Periodic, fewer_than_three_cells_are_refused) {
  for (const int cells : {1, 2}) {
    const std::string text =
        complaint(make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {4, cells, 4}}), "y_min", "y_max");
    EXPECT_EQ(text.find("here: fewer than three cells lie between 'y_min' and 'y_max' at ("), 0u) << text;
  }
  EXPECT_EQ(complaint(make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {1, 3, 1}}), "y_min", "y_max"), "none");
}

TEST(Periodic, a_mesh_of_gmsh_with_periodic_surfaces_fits) {
  if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  const auto file = std::filesystem::temp_directory_path() / ("periodic_" + std::to_string(::getpid()) + ".geo");
  std::ofstream(file) << "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nMesh.MeshSizeMax = 0.3;\n"
                         "Periodic Surface {2} = {1} Translate {1, 0, 0};\n"
                         "Periodic Surface {4} = {3} Translate {0, 1, 0};\n"
                         "Physical Volume(\"all\") = {1};\nPhysical Surface(\"left\") = {1};\n"
                         "Physical Surface(\"right\") = {2};\nPhysical Surface(\"front\") = {3};\n"
                         "Physical Surface(\"back\") = {4};\nPhysical Surface(\"rest\") = {5, 6};\n";
  Mesh mesh = read_mesh(file);
  std::filesystem::remove(file);
  join_periodic(mesh, std::vector<PeriodicPair>{{"left", "right", "x"}, {"front", "back", "y"}});
  for (const auto& face : Connectivity::make(mesh).boundary_faces) {
    EXPECT_EQ(mesh.surfaces.at(static_cast<std::size_t>(face.surface)), "rest");
  }
  expect_faces_fit(mesh, 3, {1, 1, 1e9});
}

TEST(AppendCopy, faces_of_the_copy_meet_each_other_alone) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 3, 2}});
  join_periodic(mesh, std::vector<PeriodicPair>{{"x_min", "x_max", "x"}, {"y_min", "y_max", "y"}});
  const Connectivity once = Connectivity::make(mesh);
  const auto K = static_cast<std::int32_t>(mesh.cells.size());
  append_copy(mesh);
  const Connectivity twice = Connectivity::make(mesh);
  const std::size_t walls = once.boundary_faces.size();
  ASSERT_EQ(twice.boundary_faces.size(), 2 * walls);
  for (std::size_t k = 0; k < once.neighbours.size(); ++k) {
    for (std::size_t face = 0; face < 4; ++face) {
      const std::int32_t neighbour = once.neighbours[k][face];
      EXPECT_EQ(twice.neighbours[k][face], neighbour);
      const std::int32_t shift = neighbour < 0 ? -static_cast<std::int32_t>(walls) : 4 * K;
      EXPECT_EQ(twice.neighbours[k + static_cast<std::size_t>(K)][face], neighbour + shift);
    }
  }
  for (std::size_t b = 0; b < walls; ++b) {
    EXPECT_EQ(twice.boundary_faces[b + walls].surface, once.boundary_faces[b].surface);
  }
}

TEST(ComplexView, each_place_has_an_element_for_either_part) {
  const Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {2, 1, 1}});
  const Discretization d(mesh, 1, FieldNumbers::complex);
  const ComplexView& view = d.complex_view;
  ASSERT_TRUE(view.is_complex());
  ASSERT_EQ(view.places(), mesh.cells.size());
  ASSERT_EQ(d.K(), 2 * view.places());
  EXPECT_EQ(view.parts().size(), 2U);
  std::set<std::size_t> elements;
  for (std::size_t k = 0; k < view.places(); ++k) {
    for (const FieldPart part : view.parts()) {
      const std::size_t e = view.element(k, part);
      elements.insert(e);
      EXPECT_EQ(view.part(e), part);
      EXPECT_EQ(view.element(e, FieldPart::real), k);
      for (int i = 0; i < d.Np(); ++i) EXPECT_EQ(d.node(e, i), d.node(k, i));
    }
  }
  EXPECT_EQ(elements.size(), d.K());
}

TEST(ComplexView, real_fields_are_what_all_elements_hold) {
  const Discretization d(make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {2, 1, 1}}), 1);
  const ComplexView& view = d.complex_view;
  EXPECT_FALSE(view.is_complex());
  EXPECT_EQ(view.places(), d.K());
  EXPECT_EQ(view.parts().size(), 1U);
  for (std::size_t k = 0; k < d.K(); ++k) EXPECT_EQ(view.element(k, FieldPart::real), k);
}

}  // namespace
}  // namespace maxwell_dg::dg
