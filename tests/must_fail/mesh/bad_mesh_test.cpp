#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/mesh/msh_text.hpp"
#include "tests/support/own_directory.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

class BadMesh : public OwnDirectory {
 protected:
  BadMesh() : OwnDirectory("bad_mesh") {}
};

class BadGmshMesh : public BadMesh {
 protected:
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  }
};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The message of the MeshError that `action` throws, in one line.
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const MeshError& error) {
    EXPECT_EQ(error.code(), ExitCode::mesh);
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "no MeshError";
  return {};
}

void expect_words(const std::string& message, const std::vector<std::string>& words) {
  for (const auto& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
}

void expect_refused(const fs::path& file, const std::vector<std::string>& words) {
  const std::string message = message_of([&] { (void)read_mesh(file); });
  expect_words(message, words);
  expect_words(message, {file.string() + ": "});
}

/// The same complaint must come from `prepare`, and from a file where files of Gmsh can be read.
class BadCells : public BadMesh {
 protected:
  void expect_bad(const Nodes& nodes, const Cells& cells, const std::vector<std::string>& words) const {
    Mesh mesh;
    mesh.vertices = nodes;
    mesh.cells = cells;
    mesh.cell_region.assign(cells.size(), -1);
    expect_words(message_of([&] { prepare(mesh, "in memory"); }), words);
    if (MAXWELL_DG_HAVE_GMSH) expect_refused(write("bad.msh", msh_text(nodes, cells)), words);
  }
};

const Nodes corner_nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TEST_F(BadMesh, missing_file_is_named) {
  expect_refused(directory_ / "nowhere.msh", {"no such mesh file"});
}

TEST_F(BadMesh, directory_is_no_mesh) {
  fs::create_directory(directory_ / "meshes.msh");
  expect_refused(directory_ / "meshes.msh", {"is a directory"});
}

TEST_F(BadMesh, empty_file_is_no_mesh) {
  for (const char* name : {"empty.msh", "empty.geo", "empty.h5"}) expect_refused(write(name, ""), {"is empty"});
}

TEST_F(BadMesh, unreadable_file_is_said_to_be) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const auto file = write("secret.msh", "$MeshFormat");
  fs::permissions(file, fs::perms::none);
  expect_refused(file, {"permissions"});
}

TEST_F(BadMesh, unknown_extension_names_the_known_ones) {
  expect_refused(write("part.stl", "solid"), {"unknown kind of mesh '.stl'", ".msh", ".geo", ".h5"});
}

TEST_F(BadMesh, text_that_is_no_msh_is_refused) {
  expect_refused(write("notes.msh", "These are my notes.\n"), {"does not start with $MeshFormat", "4.1"});
}

TEST_F(BadMesh, build_without_gmsh_names_the_way_out) {
  if (MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build reads Gmsh files";
  expect_refused(write("good.msh", msh_text(corner_nodes, {{0, 1, 2, 3}})), {"no Gmsh", "maxwell_dg --convert"});
}

TEST_F(BadMesh, truncated_msh_is_refused_wherever_it_ends) {
  for (const char* name :
       {"interface_41_ascii.msh", "interface_41_binary.msh", "interface_22_ascii.msh", "interface_22_binary.msh"}) {
    SCOPED_TRACE(name);
    const std::string whole = content_of(fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/unit/mesh/data" / name);
    ASSERT_GT(whole.size(), 1000U);
    for (const std::size_t size :
         {std::size_t{8}, std::size_t{30}, whole.size() / 3, whole.size() / 2, whole.size() - 200, whole.size() - 15}) {
      expect_refused(write("cut.msh", whole.substr(0, size)), {});
    }
  }
}

TEST_F(BadGmshMesh, msh_that_ends_after_its_nodes_has_no_tetrahedra) {
  std::string text = msh_text(corner_nodes, {{0, 1, 2, 3}});
  expect_refused(write("nodes.msh", text.substr(0, text.find("$Elements"))), {"no tetrahedra", "gmsh -3"});
}

TEST_F(BadGmshMesh, surface_mesh_has_no_tetrahedra) {
  const std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
      "$Elements\n1\n1 2 2 7 1 1 2 3\n$EndElements\n";
  expect_refused(write("surface.msh", text), {"no tetrahedra (1 named surface triangle)", "gmsh -3"});
}

TEST_F(BadGmshMesh, hexahedra_are_refused) {
  const std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n"
      "8 0 1 1\n$EndNodes\n$Elements\n1\n1 5 2 1 1 1 2 3 4 5 6 7 8\n$EndElements\n";
  expect_refused(write("hexahedra.msh", text), {"1 element of type 'Hexahedron", "only tetrahedra"});
}

TEST_F(BadGmshMesh, volume_in_two_physical_groups_is_ambiguous) {
  const std::string text =
      "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nPhysical Volume(\"air\") = {1};\n"
      "Physical Volume(\"everything\") = {1};\nMesh.MeshSizeMin = 1;\n";
  expect_refused(write("twice.geo", text), {"volume 1 belongs to both 'air' and 'everything'", "one physical group"});
}

TEST_F(BadGmshMesh, geo_with_a_mistake_passes_on_what_gmsh_says) {
  expect_refused(write("mistake.geo", "Point(1) = {0, 0, 0\nBox(1)\n"),
                 {"Gmsh cannot read or mesh it", "syntax error"});
  // and the next file is read as if nothing had happened
  EXPECT_EQ(read_mesh(write("good.msh", msh_text(corner_nodes, {{0, 1, 2, 3}}))).cells.size(), 1U);
  const std::string box = "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\n";
  EXPECT_GT(read_mesh(write("good.geo", box)).cells.size(), 1U);
}

TEST_F(BadGmshMesh, geo_of_a_surface_has_no_tetrahedra) {
  expect_refused(write("flat.geo", "SetFactory(\"OpenCASCADE\");\nRectangle(1) = {0, 0, 0, 1, 1};\n"),
                 {"no tetrahedra"});
}

TEST_F(BadMesh, triangle_in_two_surfaces_is_ambiguous) {
  Mesh mesh;
  mesh.vertices = corner_nodes;
  mesh.cells = {{0, 1, 2, 3}};
  mesh.cell_region = {-1};
  mesh.surfaces = {"wall", "port"};
  mesh.surface_faces = {{{0, 1, 2}, 0}, {{2, 0, 1}, 1}};
  expect_words(message_of([&] { prepare(mesh, "m"); }), {"both surface 'wall' and 'port'", "one physical group"});
}

TEST_F(BadCells, inverted_tetrahedra_are_counted_and_placed) {
  expect_bad({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {8, 8, 8}, {12, 8, 8}, {8, 12, 8}, {8, 8, 12}},
             {{0, 1, 2, 3}, {4, 5, 7, 6}}, {"1 inverted tetrahedron at (9, 9, 9)", "Mesh.Optimize"});
  expect_bad({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {0, 0, -4}, {8, 0, 0}},
             {{0, 2, 1, 3}, {0, 1, 2, 4}, {1, 5, 2, 3}}, {"2 inverted tetrahedra, the first at (1, 1, 1)"});
}

TEST_F(BadCells, degenerate_tetrahedra_are_counted_and_placed) {
  expect_bad({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 1e-7}}, {{0, 1, 2, 3}},
             {"1 degenerate (flat) tetrahedron at (2, 2, ", "Mesh.Optimize"});
}

TEST_F(BadCells, duplicate_vertices_are_found) {
  // Two tetrahedra on the two sides of the plane z = 0, each with its own copies of the three vertices between them.
  expect_bad({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {1, 0, 1e-9}, {0, 1, 0}, {0, 0, -1}},
             {{0, 1, 2, 3}, {4, 6, 5, 7}}, {"6 vertices that coincide with others", "Coherence Mesh;"});
}

TEST_F(BadCells, a_single_duplicate_vertex_is_found) {
  expect_bad({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0, 1, 0}}, {{0, 1, 2, 3}, {0, 5, 1, 4}},
             {"2 vertices that coincide with others, the first at (0, 1, 0)"});
}

TEST_F(BadCells, vertex_hanging_in_a_face_is_found) {
  const double third = 1.0 / 3;
  expect_bad({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {third, third, 0}},
             {{0, 2, 1, 4}, {0, 1, 5, 3}, {1, 2, 5, 3}, {2, 0, 5, 3}},
             {"1 hanging vertex at (0.333333, 0.333333, 0)", "BooleanFragments"});
}

TEST_F(BadCells, vertex_hanging_on_an_edge_is_found) {
  expect_bad({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.5, 0.5, 0}},
             {{0, 2, 1, 4}, {0, 1, 5, 3}, {0, 5, 2, 3}}, {"1 hanging vertex at (0.5, 0.5, 0)", "BooleanFragments"});
}

TEST_F(BadCells, face_with_three_cells_is_found) {
  expect_bad({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.2, 0.2, 2}},
             {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 5}}, {"more than two tetrahedra share the face", "(1, 0, 0)"});
}

TEST_F(BadMesh, numbers_that_are_none_and_vertices_that_are_not_there) {
  Mesh mesh;
  mesh.vertices = corner_nodes;
  mesh.cells = {{0, 1, 2, 4}};
  mesh.cell_region = {-1};
  expect_words(message_of([&] { prepare(mesh, "m"); }), {"refer to vertices that the mesh does not have"});
  mesh.cells = {{0, 1, 2, 3}};
  mesh.vertices[3][1] = NAN;
  expect_words(message_of([&] { prepare(mesh, "m"); }), {"1 vertex that is no finite point"});
}

TEST_F(BadMesh, hdf5_that_is_something_else_is_refused) {
  expect_refused(write("text.h5", "These are my notes.\n"), {"damaged, truncated or no mesh", "maxwell_dg --convert"});
}

TEST_F(BadMesh, truncated_hdf5_is_refused_wherever_it_ends) {
  write_mesh(make_box({.cells = {4, 4, 4}}), directory_ / "box.h5");
  ASSERT_NO_THROW((void)read_mesh(directory_ / "box.h5"));
  const std::string whole = content_of(directory_ / "box.h5");
  for (std::size_t size = whole.size() - 1; size > 8; size -= whole.size() / 10) {
    expect_refused(write("cut.h5", whole.substr(0, size)), {"damaged, truncated or no mesh"});
  }
}

TEST_F(BadMesh, flipped_bits_in_hdf5_are_an_error_or_harmless) {
  const Mesh mesh = make_box({.cells = {4, 4, 4}});
  write_mesh(mesh, directory_ / "box.h5");
  const std::string whole = content_of(directory_ / "box.h5");
  ASSERT_NO_THROW((void)read_mesh(directory_ / "box.h5"));
  int refused = 0, tried = 0;
  for (std::size_t at = 5; at < whole.size(); at += 101, ++tried) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const auto file = write("damaged.h5", damaged);
    try {
      const Mesh read = read_mesh(file);  // the byte was in a gap of the file
      EXPECT_EQ(read.vertices, mesh.vertices) << "byte " << at;
      EXPECT_EQ(read.cells, mesh.cells) << "byte " << at;
      EXPECT_EQ(read.cell_region, mesh.cell_region) << "byte " << at;
      EXPECT_EQ(read.regions, mesh.regions) << "byte " << at;
      EXPECT_EQ(read.surfaces, mesh.surfaces) << "byte " << at;
      EXPECT_EQ(read.surface_faces.size(), mesh.surface_faces.size()) << "byte " << at;
    } catch (const MeshError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, tried / 5) << "of " << tried << "; small files have wide gaps";
}

TEST_F(BadMesh, mesh_that_cannot_be_written_is_an_output_error) {
  const Mesh mesh = make_box({});
  try {
    write_mesh(mesh, directory_ / "no" / "such" / "place.h5");
    FAIL() << "no OutputError";
  } catch (const OutputError& error) {
    expect_words(error.what(), {"place.h5"});
  }
  EXPECT_THROW(write_mesh(mesh, "/dev/full"), OutputError);
}

}  // namespace
}  // namespace maxwell_dg::dg
