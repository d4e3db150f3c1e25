#include <gtest/gtest.h>

#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// What --check says of the cavity on another mesh.
std::string said_of(const dg::Mesh& mesh) {
  const TemporaryDirectory directory;
  dg::write_mesh(mesh, directory / "mesh.h5");
  const Outcome outcome =
      run_cavity(directory.path(), {"--check", "--set", "mesh={file: " + (directory / "mesh.h5").string() + "}"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.err;
}

TEST(MeshWarnings, name_the_worst_of_the_few_elements_that_shorten_the_step) {
  dg::Mesh mesh = dg::make_box({.min = {-1, -1, -1}, .max = {1, 1, 0}, .cells = {8, 8, 8}});
  EXPECT_EQ(said_of(mesh).find("the time step is"), std::string::npos) << "all alike";
  for (dg::Point& vertex : mesh.vertices) {
    if (vertex == dg::Point{0.25, 0.25, -0.5}) vertex[0] += 0.23;  // of a cell of 0.25
  }
  const std::string text = said_of(mesh);
  EXPECT_NE(text.find("warning: the time step is "), std::string::npos) << text;
  EXPECT_NE(text.find(" times shorter than 99 % of the elements need, because of "), std::string::npos) << text;
  EXPECT_NE(text.find(" of 3072; the worst is element "), std::string::npos) << text;
  EXPECT_NE(text.find(" in region 'interior', of quality 0.0"), std::string::npos) << text;
}

}  // namespace
}  // namespace maxwell_dg::testing
