// Curved tetrahedra in files: of Gmsh, and of HDF5.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "dg/hdf5/file.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/own_directory.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

/// A directory of this test's own, gone afterwards.
class CurvedFiles : public OwnDirectory {
 protected:
  CurvedFiles() : OwnDirectory("curved") {}
};

class CurvedMsh : public CurvedFiles, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  }
};

/// A ball of radius 1 within a box that nothing bends, meshed and saved in all formats by Gmsh.
std::string ball_in_a_box(int order) {
  std::string text =
      "SetFactory(\"OpenCASCADE\");\nBox(1) = {-1.6, -1.6, -1.6, 3.2, 3.2, 3.2};\nSphere(2) = {0, 0, 0, 1};\n"
      "BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\nMesh.CharacteristicLengthMin = 0.7;\n"
      "Mesh.CharacteristicLengthMax = 0.7;\nPhysical Volume(\"ball\") = {2};\nPhysical Volume(\"air\") = {3};\n"
      "Mesh.ElementOrder = " +
      std::to_string(order) + ";\nMesh 3;\n";
  for (const char* version : {"2.2", "4.1"}) {
    for (const char* binary : {"0", "1"}) {
      text += std::string("Mesh.MshFileVersion = ") + version + "; Mesh.Binary = " + binary + "; Save \"ball_" +
              version + "_" + binary + ".msh\";\n";
    }
  }
  return text;
}

double farthest_from_the_sphere(const Mesh& mesh) {
  double farthest = 0;
  const Connectivity connectivity = Connectivity::make(mesh);
  const auto places = geometry_nodes(mesh.curved.order);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t other = connectivity.neighbours[k][f];
      if (other < 0 || mesh.cell_region[k] == mesh.cell_region[index(other / 4)]) continue;
      EXPECT_TRUE(mesh.curved.is_curved(k)) << "a cell at the sphere";
      if (!mesh.curved.is_curved(k)) continue;
      const auto opposite = static_cast<std::size_t>(ReferenceElement::opposite_vertex[f]);
      for (std::size_t n = 0; n < places.size(); ++n) {
        if (places[n][opposite] != 0) continue;
        farthest = std::max(farthest, std::abs(length(mesh.curved.nodes_of(k)[n]) - 1));
      }
    }
  }
  return farthest;
}

TEST_P(CurvedMsh, of_both_versions_text_and_binary_is_the_same_mesh_with_its_nodes_on_the_sphere) {
  const int order = GetParam();
  const fs::path geo = write("ball.geo", ball_in_a_box(order));
  const Mesh meshed = read_mesh(geo, {.trust_geometry = true});
  ASSERT_EQ(meshed.curved.order, order);
  EXPECT_LT(meshed.curved.count(), meshed.cells.size()) << "cells that touch no sphere are straight";
  EXPECT_LT(farthest_from_the_sphere(meshed), 1e-9);
  for (const char* name : {"ball_2.2_0.msh", "ball_2.2_1.msh", "ball_4.1_0.msh", "ball_4.1_1.msh"}) {
    const Mesh mesh = read_mesh(directory_ / name);
    ASSERT_EQ(mesh.cells, meshed.cells) << name;
    ASSERT_EQ(mesh.curved.number, meshed.curved.number) << name;
    double farthest = 0;
    for (std::size_t n = 0; n < mesh.curved.nodes.size(); ++n) {
      farthest = std::max(farthest, distance(mesh.curved.nodes[n], meshed.curved.nodes[n]));
    }
    EXPECT_LT(farthest, 1e-14) << name;
  }
  // Of order 2g with nodes on the sphere, of g + 1 at least.
  const double expected = 4 * M_PI / 3;
  const std::map<int, double> bound{{2, 5e-3}, {4, 5e-5}, {6, 4e-6}};
  EXPECT_NEAR(testing::volume_of_region(meshed, "ball"), expected, bound.at(order) * expected);
  EXPECT_NEAR(testing::volume_of_region(meshed, "ball") + testing::volume_of_region(meshed, "air"), std::pow(3.2, 3),
              1e-12 * 33);
}

INSTANTIATE_TEST_SUITE_P(Orders, CurvedMsh, ::testing::Values(2, 4, 6));

TEST_F(CurvedFiles, order_9_of_gmsh_is_read) {
  if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  const Mesh mesh = read_mesh(fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/unit/mesh/data/octant_order_9.msh");
  ASSERT_EQ(mesh.curved.order, 9);
  ASSERT_EQ(mesh.curved.count(), 1U);
  EXPECT_NEAR(testing::volume_of_region(mesh, "octant"), M_PI / 6, 1e-3);
  const auto nodes = mesh.curved.nodes_of(0);
  const auto places = geometry_nodes(9);
  double outside = 0, below = 1;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    outside = std::max(outside, length(nodes[n]) - 1);
    for (const double x : nodes[n]) below = std::min(below, x);
    for (std::size_t a = 0; a < 4; ++a) {  // an edge ascends from its first to its second vertex
      for (std::size_t b = 0; b < a; ++b) {
        if (places[n][a] + places[n][b] != 9 || places[n][a] == 9) continue;
        GeometryNode next = places[n];
        ++next[a], --next[b];
        const double step = distance(nodes[n], nodes[number_of_node(9, next)]);
        EXPECT_NEAR(step, step > 0.12 ? M_PI / 18 : 1.0 / 9, 0.03) << "of nine along an edge of length 1 or pi/2";
      }
    }
  }
  EXPECT_NEAR(outside, 0, 1e-12);
  EXPECT_NEAR(below, 0, 1e-12);
}

TEST_F(CurvedFiles, hdf5_gives_back_the_geometry_bit_by_bit) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {4, 2, 2}});
  curve(mesh, 5, [](const Point& p) { return Point{p[0], p[1] + 0.1 * std::pow(std::max(0.0, p[0] - 0.5), 2), p[2]}; });
  prepare(mesh, "bent", Orientation::any);
  ASSERT_TRUE(mesh.curved.any());
  ASSERT_LT(mesh.curved.count(), mesh.cells.size());
  write_mesh(mesh, directory_ / "bent.h5");
  const Mesh read = read_mesh(directory_ / "bent.h5");
  EXPECT_EQ(digest(read), digest(mesh));
  EXPECT_EQ(read.curved.order, 5);

  const Mesh scaled = read_mesh(directory_ / "bent.h5", {.scale = 2});
  ASSERT_EQ(scaled.curved.nodes.size(), mesh.curved.nodes.size());
  for (std::size_t n = 0; n < mesh.curved.nodes.size(); ++n) {
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(scaled.curved.nodes[n][d], 2 * mesh.curved.nodes[n][d]);
  }
}

TEST_F(CurvedFiles, hdf5_of_a_straight_mesh_has_the_version_that_older_programs_read) {
  Mesh mesh = make_box({});
  write_mesh(mesh, directory_ / "box.h5");
  EXPECT_EQ(hdf5::Reader(directory_ / "box.h5").integer_attribute("version"), 1);
  curve(mesh, 2, [](const Point& p) { return Point{p[0] + 0.1 * p[1] * p[1], p[1], p[2]}; });
  write_mesh(mesh, directory_ / "bent.h5");
  EXPECT_EQ(hdf5::Reader(directory_ / "bent.h5").integer_attribute("version"), 2);
}

}  // namespace
}  // namespace maxwell_dg::dg
