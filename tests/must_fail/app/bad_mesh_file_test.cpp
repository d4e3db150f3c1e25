#include "core/atomic_file.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/must_fail/mesh/msh_text.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

class BadMeshFile : public ::testing::Test {
 protected:
  /// The cavity on a mesh file with this content.
  Outcome run(const std::string& name, const std::string& content) {
    write_file_atomically(directory_ / name, content);
    return run_on(name);
  }
  Outcome run_on(const std::string& name) {
    std::string config = cavity_config();
    const std::size_t begin = config.find("  box:");
    config.replace(begin, config.find('\n', begin) - begin, "  file: " + name);
    write_file_atomically(directory_ / "bad.yaml", config);
    return run_program({(directory_ / "bad.yaml").string(), "--output", (directory_ / "out").string()},
                       directory_.path());
  }
  const TemporaryDirectory directory_;
};

TEST_F(BadMeshFile, missing) {
  expect_error(run_on("missing.msh"), 3, "missing.msh");
}

TEST_F(BadMeshFile, empty) {
  expect_error(run("empty.msh", ""), 3, "empty.msh");
}

TEST_F(BadMeshFile, truncated) {
  expect_error(run("cut.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n"), 3, "cut.msh");
}

TEST_F(BadMeshFile, cad_file_that_cannot_be_read) {
  if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh reader";
  expect_error(run("part.step", "no solid"), 3, "part.step: Gmsh cannot read or mesh it");
}

TEST_F(BadMeshFile, of_a_surface_only) {
  if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh reader";
  expect_error(run("surface.msh",
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
                   "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n"),
               3, "tetrahedra");
}

class BadTetrahedra : public BadMeshFile {
 protected:
  void SetUp() override {
    if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh reader";
  }
  /// One error line with the file and all of these words, exit code 3.
  void expect_refused(const Nodes& nodes, const Cells& cells, const std::vector<std::string>& words) {
    const Outcome outcome = run("bad.msh", msh_text(nodes, cells));
    expect_error(outcome, 3, (directory_ / "bad.msh").string() + ": ");
    for (const std::string& word : words) expect_error(outcome, 3, word);
    EXPECT_EQ(outcome.err.find("error: ", 1), std::string::npos) << outcome.err;
  }
};

TEST_F(BadTetrahedra, inverted) {
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {8, 8, 8}, {12, 8, 8}, {8, 12, 8}, {8, 8, 12}},
                 {{0, 1, 2, 3}, {4, 5, 7, 6}}, {"1 inverted tetrahedron at (9, 9, 9)", "Mesh.Optimize"});
}

TEST_F(BadTetrahedra, degenerate) {
  expect_refused({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 1e-7}}, {{0, 1, 2, 3}},
                 {"1 degenerate (flat) tetrahedron at (2, 2, ", "Mesh.Optimize"});
}

TEST_F(BadTetrahedra, with_duplicate_nodes) {
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0, 1, 0}}, {{0, 1, 2, 3}, {0, 5, 1, 4}},
                 {"2 vertices that coincide with others, the first at (0, 1, 0)", "Coherence Mesh;"});
}

TEST_F(BadTetrahedra, with_hanging_nodes) {
  expect_refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.5, 0.5, 0}},
                 {{0, 2, 1, 4}, {0, 1, 5, 3}, {0, 5, 2, 3}}, {"1 hanging vertex at (0.5, 0.5, 0)", "BooleanFragments"});
}

constexpr const char* box = "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nMesh.MeshSizeMin = 1;\n";

TEST_F(BadMeshFile, geometry_that_says_exit_ends_no_run_as_done) {
  if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh reader";
  expect_error(run("exit.geo", std::string(box) + "Exit;\n"), 3, "`Exit;`");
}

TEST_F(BadMeshFile, geometry_starts_no_program_unless_trusted) {
  if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh reader";
  const std::string mark = (directory_ / "mark").string(), mesh = (directory_ / "call.geo").string();
  write_file_atomically(mesh, std::string(box) + "SystemCall \"touch " + mark + "\";\n");
  const std::vector<std::string> convert{"--convert", mesh, (directory_ / "a.h5").string()};
  expect_error(run_program(convert, directory_.path()), 3, "--trust-geometry");
  EXPECT_FALSE(std::filesystem::exists(mark));
  std::vector<std::string> trusting = convert;
  trusting.emplace_back("--trust-geometry");
  EXPECT_EQ(run_program(trusting, directory_.path()).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(mark));
}

TEST_F(BadMeshFile, a_system_that_cannot_guard_gmsh_reads_no_geometry_and_says_so_of_a_mesh) {
  if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh reader";
  const std::string script = (directory_ / "box.geo").string(), mesh = (directory_ / "tetrahedron.msh").string();
  write_file_atomically(script, std::string(box));
  write_file_atomically(mesh, msh_text({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}));
  const auto convert = [&](const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"--convert", file, (directory_ / "a.h5").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, directory_.path(), {.without_seccomp = true});
  };
  const Outcome refused = convert(script);
  if (refused.exit_code == 77) GTEST_SKIP() << "nothing can be taken away here";
  expect_error(refused, 3,
               "box.geo: a geometry is a program, and this system cannot keep it from starting others and from writing "
               "files (seccomp: ");
  expect_error(refused, 3, "); if you trust it, read it with --trust-geometry");
  const Outcome trusted = convert(script, {"--trust-geometry"});
  EXPECT_EQ(trusted.exit_code, 0) << trusted.err;
  EXPECT_EQ(trusted.err.find("warning"), std::string::npos) << trusted.err;
  const Outcome data = convert(mesh);
  EXPECT_EQ(data.exit_code, 0) << data.err;
  EXPECT_TRUE(data.err.starts_with("warning: " + mesh + ": this system cannot guard Gmsh (seccomp: ")) << data.err;
}

TEST_F(BadMeshFile, truncated_hdf5) {
  expect_error(run("cut.h5", "\x89HDF\r\n\x1a\n"), 3, "cut.h5");
}

TEST_F(BadMeshFile, convert_names_it_too) {
  const std::string path = (directory_ / "missing.msh").string();
  expect_error(run_program({"--convert", path, (directory_ / "a.h5").string()}, directory_.path()), 3, path);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "a.h5"));
}

}  // namespace
}  // namespace maxwell_dg::testing
