// CAD files through the program: listed, converted, checked.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

const std::string cylinder = std::string(MAXWELL_DG_SOURCE_DIR) + "/tests/unit/mesh/data/cylinder_inch.step";

class CadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh reader";
  }
  Outcome run(std::vector<std::string> arguments) { return run_program(std::move(arguments), directory_.path()); }
  const TemporaryDirectory directory_;
};

TEST_F(CadTest, convert_lists_names_and_keeps_the_geometry_of_order_4_unless_told_otherwise) {
  const std::filesystem::path h5 = directory_ / "cylinder.h5";
  const Outcome outcome = run({"--convert", cylinder, h5.string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* text : {"meshed in order 4", " curved), 1 region, 3 surfaces", " in 'volume_1'", " in 'surface_1', ",
                           " in 'surface_2' at z = 0.012, ", " in 'surface_3' at z = 0\n"}) {
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
  }
  const dg::Mesh mesh = dg::read_mesh(h5);
  EXPECT_EQ(mesh.curved.order, 4);
  for (const dg::Point& p : mesh.vertices) {
    EXPECT_LT(std::abs(p[0]), 0.003 * (1 + 1e-9)) << "metres, of a file in inches";
  }
  ASSERT_EQ(run({"--convert", cylinder, h5.string(), "--set", "mesh.order=1", "--set", "mesh.size=1 mm"}).exit_code, 0);
  const dg::Mesh fine = dg::read_mesh(h5);
  EXPECT_FALSE(fine.curved.any());
  EXPECT_GT(fine.cells.size(), mesh.cells.size());
}

TEST_F(CadTest, check_lists_the_names_of_a_cad_file_and_says_that_a_size_is_longer_than_all_of_it) {
  write_file_atomically(directory_ / "cad.yaml", "mesh: {file: " + cylinder +
                                                     ", size: \"2 mm\"}\nsolver: {order: 2}\ntime: {end: \"1 ns\"}\n"
                                                     "materials: [{region: volume_1}]\n"
                                                     "boundaries: [{region: \"*\", type: pec}]\n");
  const Outcome check = run({"--check", (directory_ / "cad.yaml").string()});
  ASSERT_EQ(check.exit_code, 0) << check.err;
  for (const char* text : {"  order: 2\n", "  size: \"2 mm\"\n", " in 'volume_1'\n", "# faces by surface: ",
                           " in 'surface_1', ", " in 'surface_2' at z = 12 mm, ", " in 'surface_3' at z = 0 m\n",
                           "# edges: ", " of them curved, by maps of order 2\n", "# mesh: 6 mm x "}) {
    EXPECT_NE(check.out.find(text), std::string::npos) << text << "\n" << check.out;
  }
  const Outcome bare = run({"--check", (directory_ / "cad.yaml").string(), "--set", "mesh.size=2"});
  ASSERT_EQ(bare.exit_code, 0) << bare.err;
  EXPECT_NE(bare.err.find("cylinder_inch.step: mesh.size is longer than the whole geometry, so that it bounds no edge: "
                          "take a smaller one, and look at its unit\n"),
            std::string::npos)
      << bare.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
