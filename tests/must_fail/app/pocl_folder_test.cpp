#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;  // which takes terabytes of addresses
#else
constexpr bool is_sanitized = false;
#endif

/// PoCL ends a process that cannot write or load its kernels; what would make it so is found before.
class PoclFolder : public ::testing::Test {
 protected:
  Outcome run(Conditions conditions) {
    conditions.environment["MAXWELL_DG_CACHE"] = (directory_ / "cache").string();
    return run_cavity(directory_.path(), {"--device", "cpu"}, conditions);
  }
  const TemporaryDirectory directory_;
};

TEST_F(PoclFolder, from_which_nothing_may_be_executed) {
  const Outcome outcome = run({.temporary_files = "size=64m,noexec"});
  if (outcome.exit_code == 77) GTEST_SKIP() << "no file system may be mounted here";
  expect_error(outcome, 4, "(TMPDIR), which is on a file system from which nothing may be executed (mounted noexec)");
  EXPECT_NE(outcome.err.find("; set TMPDIR to another folder"), std::string::npos) << outcome.err;
}

TEST_F(PoclFolder, that_is_full) {
  for (const char* size : {"size=16k", "size=160k", "size=400k"}) {
    const Outcome outcome = run({.temporary_files = size});
    if (outcome.exit_code == 77) GTEST_SKIP() << "no file system may be mounted here";
    expect_error(outcome, 4, " KiB free, and kernels take ");
  }
}

TEST_F(PoclFolder, with_room_is_used) {
  const Outcome outcome = run({.temporary_files = "size=64m"});
  if (outcome.exit_code == 77) GTEST_SKIP() << "no file system may be mounted here";
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(PoclFolder, in_files_that_may_hardly_grow) {
  expect_error(run({.largest_file = 10240}), 6, "this process may write files of at most 10 KiB (ulimit -f)");
}

TEST_F(PoclFolder, of_the_users_that_cannot_be_made) {
  const Outcome outcome = run({.environment = {{"POCL_CACHE_DIR", "/proc/nope"}}});
  expect_error(outcome, 4, "in /proc/nope (POCL_CACHE_DIR), which cannot be made: ");
  EXPECT_EQ(outcome.err.find("installed"), std::string::npos) << outcome.err;
}

TEST_F(PoclFolder, of_the_users_that_cannot_be_written) {
  const Outcome outcome = run({.environment = {{"POCL_CACHE_DIR", "/proc"}}});
  expect_error(outcome, 4, "in /proc (POCL_CACHE_DIR), which ");
}

TEST_F(PoclFolder, of_the_users_is_used) {
  const std::string folder = (directory_ / "pocl/cache").string();
  const Outcome outcome = run({.environment = {{"POCL_CACHE_DIR", folder}}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::is_empty(folder));
}

TEST_F(PoclFolder, a_driver_that_cannot_be_loaded_is_not_called_absent) {
  const Outcome outcome = run({.environment = {{"OCL_ICD_VENDORS", "/nowhere/libnone.so"}}});
  expect_error(outcome, 4, "the OpenCL driver /nowhere/libnone.so is installed and cannot be loaded: ");
  EXPECT_EQ(outcome.err.find("apt install"), std::string::npos) << outcome.err;
}

TEST_F(PoclFolder, no_driver_at_all_is_called_so) {
  const Outcome outcome = run({.environment = {{"OCL_ICD_VENDORS", directory_.path().string()}}});
  expect_error(outcome, 4, "no OpenCL driver is installed");
  EXPECT_NE(outcome.err.find("apt install pocl-opencl-icd"), std::string::npos) << outcome.err;
}

TEST_F(PoclFolder, a_limit_of_addresses_is_named) {
  if (is_sanitized) GTEST_SKIP() << "a sanitized program does not start with few addresses";
  expect_error(run({.address_space = std::size_t{200} << 20}), 4, "cannot be loaded: ");
}

}  // namespace
}  // namespace maxwell_dg::testing
