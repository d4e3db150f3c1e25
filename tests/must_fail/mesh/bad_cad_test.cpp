// CAD files and scripts that cannot be meshed as asked for.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/support/own_directory.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

class BadCad : public OwnDirectory {
 protected:
  BadCad() : OwnDirectory("bad_cad") {}
  ~BadCad() override { ::unsetenv("MAXWELL_DG_GMSH_PROGRAM"); }
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  }
  /// One line with the file's name and all of these words.
  static void expect_refused(const fs::path& file, const MeshReading& how, const std::vector<std::string>& words) {
    try {
      (void)read_mesh(file, how);
      ADD_FAILURE() << file << " was taken";
    } catch (const MeshError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with(file.string() + ": ")) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
    }
  }
  [[nodiscard]] fs::path drawn(const std::string& script, const std::string& name) const {
    const fs::path geo = write("draw.geo", "SetFactory(\"OpenCASCADE\");\n" + script + "\nSave \"" + name +
                                               "\";\nRecursive Delete { Volume{:}; }\nBox(1) = {0, 0, 0, 1, 1, 1};\n");
    (void)read_mesh(geo, {.trust_geometry = true});
    return directory_ / name;
  }
};

TEST_F(BadCad, file_that_open_cascade_cannot_read_is_an_error_of_the_mesh) {
  for (const char* name : {"part.step", "part.stp", "part.igs", "part.brep"}) {
    expect_refused(write(name, "this is no solid\n"), {}, {"; is it a ", "Export it anew"});
  }
}

TEST_F(BadCad, file_without_solids_says_what_to_do) {
  expect_refused(fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/unit/mesh/data/faces_mm.igs", {},
                 {"it has no solid (3 surfaces", "closed solids in the CAD program"});
}

TEST_F(BadCad, solids_that_overlap_are_named) {
  expect_refused(drawn("Sphere(1) = {0, 0, 0, 1};\nBox(2) = {-2, -2, -2, 4, 4, 4};", "overlap.brep"), {},
                 {"solids number 1 and number 2 overlap: subtract one from the other"});
}

TEST_F(BadCad, elements_that_fold_over_are_told_the_keys_that_help) {
  const fs::path shell = drawn(
      "Sphere(1) = {0, 0, 0, 1};\nSphere(2) = {0, 0, 0, 0.95};\nBooleanDifference{ Volume{1}; Delete; }{ Volume{2}; "
      "Delete; }",
      "shell.brep");
  expect_refused(shell, {.order = 6},
                 {"curved tetrahedra that fold over", "the first at (", "take a mesh.size below the edges there, 0.",
                  " long, or a mesh.order below 6"});
}

TEST_F(BadCad, elements_that_a_script_bends_too_far_are_told_the_keys_of_the_config) {
  const fs::path shell = write("shell.geo",
                               "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\nSphere(2) = {0, 0, 0, 0.95};\n"
                               "BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }\nMesh.ElementOrder = 5;\n"
                               "Mesh.MeshSizeMin = 0.5;\n");
  expect_refused(shell, {}, {"fold", "take a mesh.size below the edges there, ", " long, or mesh.order: 1"});
}

TEST_F(BadCad, elements_of_an_order_that_the_program_mends_are_told_to_ask_for_it_and_no_more_is_said) {
  const fs::path shell = write("shell.geo",
                               "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\nSphere(2) = {0, 0, 0, 0.95};\n"
                               "BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }\nMesh.ElementOrder = 3;\n"
                               "Mesh.MeshSizeMin = 0.5;\n");
  ::testing::internal::CaptureStderr();
  expect_refused(shell, {}, {" long, or mesh.order: 3, with which Gmsh's optimizer is to mend such elements, or 1"});
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("the nodes that Gmsh gives"), std::string::npos) << said;
}

TEST_F(BadCad, size_that_asks_for_too_many_elements_is_refused_before_they_are_made) {
  const fs::path brep = drawn("Box(1) = {0, 0, 0, 1, 1, 2};", "box.brep");
  expect_refused(
      brep, {.size = 0.004},
      {"mesh.size is 0.0016 times the diagonal of the geometry, whose volume then has about 1.4e+08 tetrahedra",
       "more than the 2e+07 that the program lets Gmsh make: take a larger mesh.size, or mesh.scale: a BREP "
       "file has no unit"});
  expect_refused(brep, {.scale = 1e-3, .size = 1e-8}, {"mesh.size is 4.1e-06 times the diagonal"});
  expect_refused(write("box.geo", "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 2};\n"), {.size = 0.004},
                 {"1.4e+08 tetrahedra", "a script's numbers are metres unless that says otherwise"});
  expect_refused(drawn("Box(1) = {0, 0, 0, 1, 1, 2};", "box.step"), {.size = 4e-6},
                 {"1.4e+08 tetrahedra", "or mesh.scale, if the file's own unit is wrong"});
}

TEST_F(BadCad, scale_of_a_file_with_several_units_is_refused) {
  expect_refused(write("mixed.step",
                       "#1=GLOBAL_UNIT_ASSIGNED_CONTEXT((#2));#2=(LENGTH_UNIT()SI_UNIT($,.METRE.));\n"
                       "#3=GLOBAL_UNIT_ASSIGNED_CONTEXT((#4));#4=(LENGTH_UNIT()SI_UNIT(.MILLI.,.METRE.));"),
                 {.scale = 1e-3}, {"lengths in several units", "leave out mesh.scale"});
}

TEST_F(BadCad, size_that_a_script_cannot_keep_is_refused) {
  const std::string box = "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\n";
  expect_refused(write("meshed.geo", box + "Mesh 3;\n"), {.size = 0.1},
                 {"`Mesh 3;`", "remove that line, or mesh.size"});
  expect_refused(write("coarse.geo", box + "Mesh.MeshSizeMin = 0.5;\n"), {.size = 0.1},
                 {"mesh.size is below the least size of elements there, 0.5", "Mesh.MeshSizeMin"});
}

TEST_F(BadCad, crash_of_gmsh_is_an_error_with_the_keys_that_help) {
  const fs::path program = write("gmsh", "#!/bin/sh\necho optimizing; kill -SEGV $$\n");
  fs::permissions(program, fs::perms::owner_all);
  ::setenv("MAXWELL_DG_GMSH_PROGRAM", program.c_str(), 1);
  expect_refused(write("part.step", "anything"), {.order = 7},
                 {"Gmsh crashed while reading it (Segmentation fault; its last words were: optimizing)",
                  "take another mesh.size or a lower mesh.order"});
}

TEST_F(BadCad, orders_and_sizes_are_of_geometries_alone) {
  const fs::path mesh = write("a.msh", "x");
  EXPECT_THROW((void)read_mesh(mesh, {.order = 2}), std::invalid_argument);
  EXPECT_THROW((void)read_mesh(mesh, {.size = 1}), std::invalid_argument);
  const fs::path geo = write("a.geo", "x");
  EXPECT_THROW((void)read_mesh(geo, {.order = 0}), std::invalid_argument);
  EXPECT_THROW((void)read_mesh(geo, {.order = 10}), std::invalid_argument);
  EXPECT_THROW((void)read_mesh(geo, {.size = -1}), std::invalid_argument);
  EXPECT_THROW((void)read_mesh(geo, {.scale = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
