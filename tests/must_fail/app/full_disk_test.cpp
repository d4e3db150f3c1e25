#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

class FullDisk : public ::testing::TestWithParam<const char*> {};

TEST_P(FullDisk, names_the_file_and_leaves_the_device_alone) {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "out");
  const std::string file = GetParam();
  const bool is_of_fields = file.starts_with("fields");
  fs::create_symlink("/dev/full", directory / ("out/" + file));
  const Outcome outcome = run_cavity(directory.path(), is_of_fields ? with_fields() : std::vector<std::string>{});
  EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
  EXPECT_NE(outcome.err.find("error: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("cannot write"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

INSTANTIATE_TEST_SUITE_P(each_output, FullDisk,
                         ::testing::Values("probes.csv", "energy.csv", "fields.pvd", "fields_000001.vtu",
                                           "config.resolved.yaml"));

TEST(full_disk, under_the_log_is_a_warning_in_the_summary) {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "out");
  fs::create_symlink("/dev/full", directory / "out/run.log");
  const Outcome outcome = run_cavity(directory.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string text = "run.log: cannot write the log: No space left on device";
  EXPECT_NE(outcome.err.find("warning: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  EXPECT_NE(content_of(directory / "out/summary.json").find(text), std::string::npos);
}

TEST(full_disk, what_was_written_before_stays_whole) {
  // Large enough that field files are larger than anything else that is written, compiled kernels included; once with
  // room for everything, then with room for the first snapshot (H is zero and compresses) but not for the next.
  const TemporaryDirectory directory;
  std::vector<std::string> larger = with_fields();
  larger.insert(larger.end(), {"--set", "solver.order=5", "--set", "mesh.box.cells=[4, 4, 2]"});
  ASSERT_EQ(run_cavity(directory.path(), larger).exit_code, 0);
  const auto first = fs::file_size(directory / "out/fields_000000.vtu");
  const auto next = fs::file_size(directory / "out/fields_000001.vtu");
  ASSERT_LT(first, 0.9 * static_cast<double>(next));
  const Outcome outcome = run_cavity(directory.path(), larger, {.largest_file = (first + next) / 2});
  EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
  EXPECT_NE(outcome.err.find("fields_000001.vtu: cannot write: File too large"), std::string::npos) << outcome.err;
  for (const auto& entry : fs::directory_iterator(directory / "out")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".tmp")) << entry.path();
  }
  EXPECT_TRUE(content_of(directory / "out/fields_000000.vtu").ends_with("</VTKFile>\n"));
  EXPECT_FALSE(fs::exists(directory / "out/fields_000001.vtu")) << "neither half of this run's nor that of the other";
  EXPECT_TRUE(content_of(directory / "out/fields.pvd").ends_with("</VTKFile>\n"));
  EXPECT_TRUE(content_of(directory / "out/probes.csv").ends_with('\n'));
}

TEST(output_directory, below_a_file_is_an_output_error) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_cavity(directory.path(), {"--output", (directory / "cavity.yaml/out").string()});
  expect_error(outcome, 6, "cavity.yaml/out: cannot be the output directory: Not a directory");
}

TEST(output_directory, without_permission_is_an_output_error) {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "locked");
  fs::permissions(directory / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  const std::string output = (directory / "locked/out").string();
  const Outcome outcome = run_cavity(directory.path(), {"--output", output}, {.obeys_permissions = true});
  fs::permissions(directory / "locked", fs::perms::owner_all);
  expect_error(outcome, 6, "locked/out: cannot be the output directory: Permission denied");
}

}  // namespace
}  // namespace maxwell_dg::testing
