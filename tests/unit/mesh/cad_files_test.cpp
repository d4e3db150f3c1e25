// CAD files and scripts, meshed by the program: straight and curved.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/own_directory.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

const fs::path cad_data = fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/unit/mesh/data";

class CadFiles : public OwnDirectory {
 protected:
  CadFiles() : OwnDirectory("cad") {}
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  }
  /// The solids that a script of Gmsh draws, saved as a CAD file.
  [[nodiscard]] fs::path drawn(const std::string& script, const std::string& name) const {
    const fs::path geo = write("draw.geo", "SetFactory(\"OpenCASCADE\");\n" + script + "\nSave \"" + name +
                                               "\";\nRecursive Delete { Volume{:}; }\nBox(1) = {0, 0, 0, 1, 1, 1};\n");
    (void)read_mesh(geo, {.trust_geometry = true});
    return directory_ / name;
  }
};

double longest_edge(const Mesh& mesh) {
  double longest = 0;
  for (const auto& cell : mesh.cells) {
    for (const auto a : cell) {
      for (const auto b : cell) longest = std::max(longest, distance(mesh.vertices[index(a)], mesh.vertices[index(b)]));
    }
  }
  return longest;
}

TEST_F(CadFiles, step_is_in_metres_by_the_unit_that_it_says_and_its_elements_are_curved) {
  const fs::path file = drawn("Sphere(1) = {0, 0, 0, 10};", "ball.step");
  const double expected = 4 * M_PI / 3 * 1e-6;
  for (const auto& [order, bound] : {std::pair{2, 2e-4}, {4, 2e-6}, {6, 2e-8}}) {
    const Mesh mesh = read_mesh(file, {.order = order});
    EXPECT_EQ(mesh.curved.order, order);
    EXPECT_GT(mesh.curved.count(), 100U);
    EXPECT_LT(mesh.curved.count(), mesh.cells.size()) << "those inside are straight";
    EXPECT_NEAR(testing::volume_of_region(mesh, "volume_1"), expected, bound * expected) << order;
    EXPECT_EQ(mesh.regions, std::vector<std::string>{"volume_1"});
    EXPECT_EQ(mesh.surfaces, std::vector<std::string>{"surface_1"});
  }
  const Mesh straight = read_mesh(file);
  EXPECT_FALSE(straight.curved.any()) << "the library's order is 1";
  EXPECT_LT(testing::volume_of_region(straight, "volume_1"), 0.97 * expected);
}

TEST_F(CadFiles, torus_and_coaxial_line_have_their_volumes) {
  const Mesh torus = read_mesh(drawn("Torus(1) = {0, 0, 0, 1, 0.3};", "torus.brep"), {.order = 6, .size = 0.25});
  const double of_torus = 2 * M_PI * M_PI * 0.09;
  EXPECT_NEAR(testing::volume_of_region(torus, "volume_1"), of_torus, 5e-6 * of_torus);

  const Mesh line = read_mesh(drawn("Cylinder(1) = {0, 0, 0, 0, 0, 1, 0.23};\nCylinder(2) = {0, 0, 0, 0, 0, 1, 0.1};\n"
                                    "BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }",
                                    "line.brep"),
                              {.order = 6});
  const double of_line = M_PI * (0.23 * 0.23 - 0.01);
  EXPECT_NEAR(testing::volume_of_region(line, "volume_1"), of_line, 1e-6 * of_line);
  EXPECT_EQ(line.surfaces.size(), 4U);
}

TEST_F(CadFiles, inches_are_read_from_step_and_iges_unless_a_scale_says_otherwise) {
  const double expected = M_PI * 9e-6 * 12e-3;  // a radius of 3 mm, a length of 12 mm
  for (const char* name : {"cylinder_inch.step", "cylinder_inch.igs"}) {
    const Mesh mesh = read_mesh(cad_data / name, {.order = 5});
    EXPECT_NEAR(testing::volume_of_region(mesh, "volume_1"), expected, 1e-5 * expected) << name;
    const Mesh taken_for_mm = read_mesh(cad_data / name, {.scale = 1e-3, .order = 5});
    EXPECT_NEAR(testing::volume_of_region(taken_for_mm, "volume_1"), expected / std::pow(25.4, 3),
                1e-5 * expected / std::pow(25.4, 3));
    const Mesh taken_for_inches = read_mesh(cad_data / name, {.scale = 0.0254, .order = 5});
    EXPECT_NEAR(testing::volume_of_region(taken_for_inches, "volume_1"), expected, 1e-5 * expected) << name;
  }
  const Mesh no_unit = read_mesh(drawn("Box(1) = {0, 0, 0, 1, 1, 1};", "box.brep"), {.scale = 2});
  EXPECT_NEAR(testing::volume_of_region(no_unit, "volume_1"), 8, 1e-9)
      << "of a file without a unit, the scale is that of all meshes";
}

/// Two boxes that touch and a ball apart, of which the products of the boxes have names.
std::string with_names(const fs::path& step) {
  std::stringstream text;
  text << std::ifstream(step).rdbuf();
  std::string named = text.str();
  const std::vector<std::pair<std::string, std::string>> names{{".1'", "left"}, {".2'", "right"}};
  for (const auto& [number, name] : names) {
    const std::string generic = "'Open CASCADE STEP translator";
    for (std::size_t at = named.find(generic); at != std::string::npos; at = named.find(generic, at + 1)) {
      const std::size_t begin = at + 1, end = named.find('\'', begin);
      if (named.compare(end - 2, 3, number) == 0) named.replace(begin, end - begin, name);
    }
  }
  return named;
}

TEST_F(CadFiles, solids_that_touch_share_their_face_and_have_the_names_of_their_products) {
  const fs::path plain =
      drawn("Box(1) = {0, 0, 0, 1, 1, 1};\nBox(2) = {1, 0, 0, 1, 1, 1};\nSphere(3) = {5, 0, 0, 1};", "plain.step");
  const Mesh mesh = read_mesh(write("named.step", with_names(plain)), {.order = 2});
  EXPECT_EQ(std::set<std::string>(mesh.regions.begin(), mesh.regions.end()),
            (std::set<std::string>{"left", "right", "volume_3"}));
  EXPECT_NEAR(testing::volume_of_region(mesh, "left"), 1e-9, 1e-15);
  EXPECT_NEAR(testing::volume_of_region(mesh, "right"), 1e-9, 1e-15);
  EXPECT_EQ(mesh.surfaces.size(), 6U + 6U - 1U + 1U);
  const Connectivity connectivity = Connectivity::make(mesh);
  std::size_t between = 0;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (const std::int32_t other : connectivity.neighbours[k]) {
      if (other >= 0 && mesh.cell_region[k] != mesh.cell_region[index(other / 4)]) ++between;
    }
  }
  EXPECT_GT(between, 0U);
}

TEST_F(CadFiles, faces_have_the_names_that_a_step_file_gives_them_also_where_solids_touch) {
  if (!MAXWELL_DG_HAVE_OPENCASCADE) GTEST_SKIP() << "this build does not read the names of faces";
  // Faces of a box in the order of Gmsh: at x = 0 and 1, y = 0 and 1, z = 0 and 1.
  const std::string touching = "Box(1) = {0, 0, 0, 1, 1, 1};\nBox(2) = {1, 0, 0, 1, 1, 1};";
  for (const std::string& script : {std::string("Box(1) = {0, 0, 0, 1, 1, 1};"), touching}) {
    std::stringstream text;
    text << std::ifstream(drawn(script, "plain.step")).rdbuf();
    std::string named = text.str();
    const std::string unnamed = "ADVANCED_FACE('";
    const std::size_t first = named.find(unnamed) + unnamed.size();
    named.insert(first, "inlet");
    named.insert(named.find(unnamed, first) + unnamed.size(), "NONE");  // what some programs write for no name
    const Mesh mesh = read_mesh(write("named.step", named));
    const auto inlet = std::ranges::find(mesh.surfaces, "inlet");
    ASSERT_NE(inlet, mesh.surfaces.end());
    EXPECT_EQ(std::ranges::count_if(mesh.surfaces, [](const std::string& s) { return s.starts_with("surface_"); }),
              script == touching ? 10 : 5);
    for (const Mesh::SurfaceFace& face : mesh.surface_faces) {
      const bool is_inlet = face.surface == inlet - mesh.surfaces.begin();
      EXPECT_EQ(is_inlet, std::abs(centroid(mesh, face.vertices)[0]) < 1e-9);
    }
  }
}

TEST_F(CadFiles, all_faces_of_solids_that_touch_keep_their_names) {
  if (!MAXWELL_DG_HAVE_OPENCASCADE) GTEST_SKIP() << "this build does not read the names of faces";
  std::stringstream text;
  text << std::ifstream(drawn("Box(1) = {0, 0, 0, 2, 1, 1};\nBox(2) = {2, 0, 0, 1, 1, 1};", "plain.step")).rdbuf();
  std::string named = text.str();
  const std::string unnamed = "ADVANCED_FACE('";
  std::set<std::string> expected;
  std::size_t at = 0;
  for (char name = 'A'; (at = named.find(unnamed, at)) != std::string::npos; ++name) {
    named.insert(at += unnamed.size(), 1, name);
    expected.insert(std::string(1, name));
  }
  ASSERT_EQ(expected.size(), 12U);
  const Mesh mesh = read_mesh(write("named.step", named));
  EXPECT_EQ(mesh.surfaces.size(), 11U) << "one is shared";
  for (const std::string& surface : mesh.surfaces) EXPECT_TRUE(expected.contains(surface)) << surface;
}

TEST_F(CadFiles, size_bounds_the_edges_in_metres_whatever_the_unit_of_the_file) {
  const fs::path step = drawn("Box(1) = {0, 0, 0, 10, 10, 10};", "box.step");
  const Mesh coarse = read_mesh(step, {.size = 4e-3}), fine = read_mesh(step, {.size = 1e-3});
  EXPECT_GT(fine.cells.size(), 3 * coarse.cells.size());
  EXPECT_LT(longest_edge(fine), 2.5 * 1e-3);

  const std::string script = "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\n";
  const fs::path geo = write("box.geo", script);
  const Mesh half = read_mesh(geo, {.scale = 10, .size = 2});
  EXPECT_LT(longest_edge(half), 2 * 2);
  EXPECT_GT(longest_edge(half), 1);
  const Mesh finer = read_mesh(write("fine.geo", script + "Mesh.MeshSizeMax = 0.1;\n"), {.scale = 10, .size = 2});
  EXPECT_LT(longest_edge(finer), 2 * 1) << "a script's own bound holds where it is smaller";
}

TEST_F(CadFiles, script_is_meshed_curved_where_an_order_is_asked_for_and_as_gmsh_does_where_none_is) {
  const std::string script =
      "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\nPhysical Volume(\"ball\") = {1};\n"
      "Physical Surface(\"skin\") = {1};\nMesh.MeshSizeMax = 0.5;\n";
  const Mesh straight = read_mesh(write("ball.geo", script));
  EXPECT_FALSE(straight.curved.any());
  (void)read_mesh(write("saved.geo", script + "Mesh 3;\nMesh.Binary = 1;\nSave \"ball.msh\";\n"),
                  {.trust_geometry = true});
  EXPECT_EQ(digest(straight), digest(read_mesh(directory_ / "ball.msh")));

  const Mesh curved = read_mesh(directory_ / "ball.geo", {.order = 4});
  EXPECT_EQ(curved.curved.order, 4);
  EXPECT_NEAR(testing::volume_of_region(curved, "ball"), 4 * M_PI / 3, 1e-4);
  EXPECT_EQ(curved.surfaces, std::vector<std::string>{"skin"});
  // Also where the script meshes by itself, in whatever order.
  const Mesh lowered = read_mesh(write("own.geo", script + "Mesh.ElementOrder = 2;\nMesh 3;\n"), {.order = 1});
  EXPECT_EQ(digest(lowered), digest(straight));
}

// A mesh generator leaves tetrahedra with two faces on the tube here; the maps of all of them were not invertible.
TEST_F(CadFiles, coarse_mesh_of_a_thin_ring_is_valid_at_every_order) {
  const fs::path file = drawn("Torus(1) = {0, 0, 0, 1, 0.3};", "ring.brep");
  const double expected = 2 * M_PI * M_PI * 0.09;
  for (const int order : {2, 3, 4, 6}) {
    const Mesh mesh = read_mesh(file, {.order = order});
    EXPECT_NEAR(testing::volume_of_region(mesh, "volume_1"), expected, 2e-3 * expected) << order;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
