#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/support/own_directory.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

/// A directory of this test's own, gone afterwards.
class MeshFiles : public OwnDirectory {
 protected:
  MeshFiles() : OwnDirectory("mesh_files") {}
};

class GmshFiles : public MeshFiles {
 protected:
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  }
};

const fs::path data = fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/unit/mesh/data";
const fs::path meshes = fs::path(MAXWELL_DG_SOURCE_DIR) / "meshes";

void expect_same(const Mesh& a, const Mesh& b, double tolerance) {
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  for (std::size_t v = 0; v < a.vertices.size(); ++v) {
    for (std::size_t d = 0; d < 3; ++d) ASSERT_NEAR(a.vertices[v][d], b.vertices[v][d], tolerance);
  }
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.cell_region, b.cell_region);
  EXPECT_EQ(a.regions, b.regions);
  EXPECT_EQ(a.surfaces, b.surfaces);
  ASSERT_EQ(a.surface_faces.size(), b.surface_faces.size());
  for (std::size_t i = 0; i < a.surface_faces.size(); ++i) {
    EXPECT_EQ(a.surface_faces[i].vertices, b.surface_faces[i].vertices);
    EXPECT_EQ(a.surface_faces[i].surface, b.surface_faces[i].surface);
  }
}

double volume_of_region(const Mesh& mesh, const std::string& region) {
  const auto geometry = Geometry::make(mesh);
  double sum = 0;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (mesh.cell_region[k] >= 0 && mesh.regions.at(mesh.cell_region[k]) == region)
      sum += std::abs(geometry.J[k]) * 4 / 3;
  }
  return sum;
}

/// Area of the exterior faces of a surface; "" for those without a name.
double exterior_area(const Mesh& mesh, const std::string& surface) {
  const auto geometry = Geometry::make(mesh);
  double sum = 0;
  for (const auto& b : Connectivity::make(mesh).boundary_faces) {
    if ((b.surface < 0 ? "" : mesh.surfaces.at(b.surface)) != surface) continue;
    sum += 2 * geometry.faces[b.cell][b.face].Fscale * std::abs(geometry.J[b.cell]);
  }
  return sum;
}

/// Whether all faces without a name lie in the planes x, y or z = 0, which `symmetry` covers.
bool only_mirrors_lack_a_name(const Mesh& mesh) {
  const auto lies_at_0 = [&](const Connectivity::BoundaryFace& b, std::size_t axis) {
    return std::ranges::all_of(face_vertices.at(b.face), [&](std::size_t v) {
      return std::abs(mesh.vertices[mesh.cells[b.cell].at(v)][axis]) < 1e-12;
    });
  };
  return std::ranges::all_of(Connectivity::make(mesh).boundary_faces, [&](const Connectivity::BoundaryFace& b) {
    return b.surface >= 0 || lies_at_0(b, 0) || lies_at_0(b, 1) || lies_at_0(b, 2);
  });
}

TEST_F(MeshFiles, hdf5_gives_back_the_mesh_bit_by_bit) {
  const Mesh mesh = make_box({.min = {-0.1, 0, 0.3}, .max = {1.0 / 3, 2, 1}, .cells = {3, 2, 4}});
  write_mesh(mesh, directory_ / "box.h5");
  expect_same(read_mesh(directory_ / "box.h5"), mesh, 0);
}

TEST_F(MeshFiles, hdf5_keeps_values_of_cells_in_the_order_of_its_cells) {
  Mesh mesh = make_box({.cells = {3, 2, 1}});
  for (const auto& cell : mesh.cells) mesh.cell_values["x of the centroid"].push_back(centroid(mesh, cell)[0]);
  mesh.cell_values["one"].assign(mesh.cells.size(), 1.0);
  write_mesh(mesh, directory_ / "box.h5");
  EXPECT_EQ(read_mesh(directory_ / "box.h5").cell_values, mesh.cell_values);

  std::reverse(mesh.cells.begin(), mesh.cells.end());
  std::reverse(mesh.cell_values["x of the centroid"].begin(), mesh.cell_values["x of the centroid"].end());
  prepare(mesh, "reversed", Orientation::any);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    EXPECT_NEAR(mesh.cell_values["x of the centroid"][k], centroid(mesh, mesh.cells[k])[0], 1e-15);
  }
}

TEST_F(MeshFiles, hdf5_with_too_few_values_is_refused) {
  Mesh mesh = make_box({.cells = {1, 1, 1}});
  mesh.cell_values["mine"].assign(5, 1.0);
  write_mesh(mesh, directory_ / "box.h5");
  try {
    (void)read_mesh(directory_ / "box.h5");
    FAIL() << "no MeshError";
  } catch (const MeshError& error) {
    EXPECT_NE(std::string(error.what()).find("cell_values/mine has 5 values for 6 cells"), std::string::npos)
        << error.what();
  }
}

TEST_F(MeshFiles, hdf5_keeps_a_mesh_without_names) {
  Mesh mesh = make_box({});
  mesh.surface_faces.clear();
  mesh.surfaces.clear();
  mesh.regions.clear();
  mesh.cell_region.assign(mesh.cells.size(), -1);
  write_mesh(mesh, directory_ / "box.h5");
  expect_same(read_mesh(directory_ / "box.h5"), mesh, 0);
}

TEST_F(MeshFiles, hdf5_replaces_an_older_file_and_leaves_nothing_else_behind) {
  write_mesh(make_box({.cells = {1, 2, 1}}), directory_ / "box.h5");
  write_mesh(make_box({.cells = {2, 2, 2}}), directory_ / "box.h5");
  EXPECT_EQ(read_mesh(directory_ / "box.h5").cells.size(), 48U);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), {}), 1);
}

TEST_F(MeshFiles, hdf5_of_the_same_mesh_has_the_same_bytes) {
  const auto bytes = [](const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const Mesh mesh = make_box({.cells = {2, 2, 2}});
  write_mesh(mesh, directory_ / "a.h5");
  write_mesh(mesh, directory_ / "b.h5");
  EXPECT_EQ(bytes(directory_ / "a.h5"), bytes(directory_ / "b.h5"));
}

TEST_F(MeshFiles, scale_multiplies_coordinates) {
  const Mesh mesh = make_box({});
  write_mesh(mesh, directory_ / "box.h5");
  EXPECT_NEAR(volume_of_region(read_mesh(directory_ / "box.h5", {.scale = 1e-3}), "interior"), 8e-9, 1e-21);
  EXPECT_THROW((void)read_mesh(directory_ / "box.h5", {.scale = 0}), std::invalid_argument);
}

TEST_F(MeshFiles, shipped_hdf5_meshes_have_their_regions_and_surfaces) {
  const Mesh sphere = read_mesh(meshes / "pec_sphere.h5");
  EXPECT_EQ(sphere.regions, std::vector<std::string>{"air"});
  EXPECT_EQ((std::set<std::string>(sphere.surfaces.begin(), sphere.surfaces.end())),
            (std::set<std::string>{"metal", "outer"}));
  EXPECT_EQ(exterior_area(sphere, ""), 0);
  EXPECT_LT(sphere.cells.size(), 25000U);
  // The hole has the volume of the unit ball: outer polyhedron minus air.
  double hole = 0;
  const auto geometry = Geometry::make(sphere);
  for (const auto& b : Connectivity::make(sphere).boundary_faces) {
    if (sphere.surfaces.at(b.surface) != "metal") continue;
    const auto& face = geometry.faces[b.cell][b.face];
    const Point& p = sphere.vertices[sphere.cells[b.cell][face_vertices[b.face][0]]];
    const double area = 2 * face.Fscale * std::abs(geometry.J[b.cell]);
    hole -= area * (p[0] * face.nx + p[1] * face.ny + p[2] * face.nz) / 3;
  }
  EXPECT_NEAR(hole, 4 * std::acos(-1.0) / 3, 2e-3);

  double last_missing = 1;
  for (const char* name : {"spherical_cavity.h5", "spherical_cavity_fine.h5", "spherical_cavity_finer.h5"}) {
    const Mesh cavity = read_mesh(meshes / name);
    EXPECT_EQ(exterior_area(cavity, ""), 0);
    const double missing = 4 * std::acos(-1.0) / 3 - volume_of_region(cavity, "interior");
    EXPECT_GT(missing, 0);
    EXPECT_LT(missing, 0.5 * last_missing) << name;
    last_missing = missing;
  }
}

TEST_F(GmshFiles, msh_of_both_versions_ascii_and_binary_are_the_same_mesh) {
  const Mesh mesh = read_mesh(data / "interface_41_ascii.msh");
  EXPECT_EQ(mesh.cells.size(), 140U);
  EXPECT_EQ(mesh.vertices.size(), 52U);
  EXPECT_NEAR(volume_of_region(mesh, "left"), 0.5, 1e-12);
  EXPECT_NEAR(volume_of_region(mesh, "right"), 0.5, 1e-12);
  EXPECT_NEAR(exterior_area(mesh, "wall"), 6, 1e-12);
  for (const char* other : {"interface_41_binary.msh", "interface_22_ascii.msh", "interface_22_binary.msh"}) {
    SCOPED_TRACE(other);
    expect_same(read_mesh(data / other), mesh, 1e-15);
  }
}

TEST_F(GmshFiles, a_geo_is_meshed_on_the_fly_and_converts_to_hdf5) {
  const Mesh mesh = read_mesh(meshes / "dielectric_interface.geo");
  EXPECT_GT(mesh.cells.size(), 100U);
  EXPECT_NEAR(volume_of_region(mesh, "left"), 0.5, 1e-12);
  EXPECT_NEAR(exterior_area(mesh, "wall"), 6, 1e-12) << "the interface is interior and shared";
  write_mesh(mesh, directory_ / "converted.h5");
  expect_same(read_mesh(directory_ / "converted.h5"), mesh, 0);
}

TEST_F(GmshFiles, every_shipped_geo_can_be_meshed) {
  for (const auto& entry : fs::directory_iterator(meshes)) {
    if (entry.path().extension() != ".geo") continue;
    SCOPED_TRACE(entry.path());
    const Mesh mesh = read_mesh(entry.path());
    EXPECT_FALSE(mesh.regions.empty());
    const bool has_walls_for_the_rest = entry.path().stem() == "coaxial_bead";  // its config's `region: "*"`
    EXPECT_TRUE(has_walls_for_the_rest || only_mirrors_lack_a_name(mesh)) << "an exterior face has no name";
    EXPECT_EQ(std::count(mesh.cell_region.begin(), mesh.cell_region.end(), -1), 0);
  }
}

constexpr const char* two_tetrahedra_msh = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
30 0 1 0
4 0 0 1
5 0 0 -1
$EndNodes
$Elements
4
1 2 2 7 1 1 2 30
2 2 2 9 2 1 2 4
3 4 2 3 1 1 2 30 4
4 4 2 4 2 1 30 2 5
$EndElements
)";

TEST_F(GmshFiles, unnamed_physical_groups_are_called_by_their_tags) {
  const Mesh mesh = read_mesh(write("two.msh", two_tetrahedra_msh));
  EXPECT_EQ(mesh.regions, (std::vector<std::string>{"volume_3", "volume_4"}));
  EXPECT_EQ(mesh.surfaces, (std::vector<std::string>{"surface_7", "surface_9"}));
  EXPECT_NEAR(volume_of_region(mesh, "volume_3"), 1.0 / 6, 1e-15);
  EXPECT_NEAR(exterior_area(mesh, "surface_9"), 0.5, 1e-15);
  EXPECT_EQ(mesh.surface_faces.size(), 2U) << "surface_7 is the face between the two: interior faces keep names";
}

TEST_F(GmshFiles, tetrahedra_in_no_physical_volume_are_kept_without_region) {
  std::string text = two_tetrahedra_msh;
  for (const std::string line : {"4 4 2 4 2 1 30 2 5", "3 4 2 3 1 1 2 30 4"}) {
    std::string without = line;
    without[6] = '0';
    text.replace(text.find(line), line.size(), without);
    const Mesh mesh = read_mesh(write("two.msh", text));
    EXPECT_EQ(mesh.cells.size(), 2U);
    EXPECT_EQ(std::count(mesh.cell_region.begin(), mesh.cell_region.end(), -1), line[0] == '4' ? 1 : 2);
  }
}

TEST_F(GmshFiles, curved_tetrahedra_keep_their_nodes_in_the_order_that_the_mesh_documents) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n";
  const std::vector<Point> nodes{{0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
                                 {.5, .5, .05}, {0, 0.5, 0}, {0, 0, 0.5}, {0, 0.5, 0.5}, {0.5, 0, 0.5}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    text += std::to_string(i + 1);
    for (const double x : nodes[i]) text += ' ' + std::to_string(x);
    text += '\n';
  }
  text += "$EndNodes\n$Elements\n1\n1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
  const Mesh mesh = read_mesh(write("curved.msh", text));
  EXPECT_EQ(mesh.cells.size(), 1U);
  EXPECT_EQ(mesh.vertices.size(), 4U);
  ASSERT_EQ(mesh.curved.order, 2);
  ASSERT_EQ(mesh.curved.count(), 1U);
  const std::vector<Point> expected{nodes[0], nodes[4], nodes[1], nodes[6], nodes[5],
                                    nodes[2], nodes[7], nodes[9], nodes[8], nodes[3]};
  EXPECT_TRUE(std::ranges::equal(mesh.curved.nodes_of(0), expected));
}

TEST_F(MeshFiles, flat_but_honest_cells_are_accepted) {
  const Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1e-3}, .cells = {2, 2, 2}});
  EXPECT_EQ(mesh.cells.size(), 48U);
}

}  // namespace
}  // namespace maxwell_dg::dg
