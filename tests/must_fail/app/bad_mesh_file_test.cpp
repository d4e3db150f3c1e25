#include "core/atomic_file.hpp"
#include "tests/must_fail/app/expectations.hpp"
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

TEST_F(BadMeshFile, of_a_surface_only) {
  expect_error(run("surface.msh",
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
                   "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n"),
               3, "tetrahedra");
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
