#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

TEST(divergence, too_large_a_step_ends_the_run_and_says_when_where_and_what_to_try) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(directory.path(), {"--set", "solver.cfl=10", "--set", "time.end=400"});
  expect_error(outcome, 5, "error: the solution diverged by step 50, t = ");
  expect_error(outcome, 5, "solver.cfl is 10: steps above 1 are not stable, take 1 or less");
  expect_error(outcome, 5, "its energy is no longer a finite number");
  expect_error(outcome, 5, " in region 'interior'");
}

TEST(divergence, leaves_outputs_that_can_be_read_and_a_summary_that_says_so) {
  const TemporaryDirectory directory;
  std::vector<std::string> unstable = has_vtk ? with_fields() : std::vector<std::string>{};
  unstable.insert(unstable.end(), {"--set", "solver.cfl=10", "--set", "time.end=400"});
  ASSERT_EQ(run_cavity(directory.path(), unstable).exit_code, 5);
  const std::string summary = content_of(directory / "out/summary.json");
  EXPECT_NE(summary.find("\"outcome\": \"diverged\""), std::string::npos) << summary;
  EXPECT_NE(content_of(directory / "out/run.log").find("error: the solution diverged"), std::string::npos);
  EXPECT_TRUE(content_of(directory / "out/probes.csv").ends_with('\n'));
  if (has_vtk) {
    EXPECT_TRUE(content_of(directory / "out/fields.pvd").ends_with("</VTKFile>\n"));
  }
}

TEST(divergence, single_precision_overflow_is_one_too) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(
      directory.path(), {"--set", "solver.cfl=10", "--set", "solver.precision=single", "--set", "time.end=4000"});
  expect_error(outcome, 5, "error: the solution diverged by step ");
}

}  // namespace
}  // namespace maxwell_dg::testing
