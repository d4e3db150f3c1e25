#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Programs that were built without MPI, or from another version, say so where it matters.
namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

class OtherBuild : public ::testing::Test {
 protected:
  [[nodiscard]] Arguments cavity(const std::string& device) const {
    write_file_atomically(directory_ / "config.yaml", cavity_config());
    return {(directory_ / "config.yaml").string(), "--device", device, "--output", (directory_ / "out").string()};
  }

  const TemporaryDirectory directory_;
};

class WithoutMpi : public OtherBuild {
 protected:
  [[nodiscard]] Outcome run(const Arguments& arguments, const std::map<std::string, std::string>& environment) const {
    return run_program(arguments, directory_.path(), {.environment = environment, .program = "maxwell_dg_without_mpi"});
  }
};

TEST_F(WithoutMpi, a_process_alone_runs) {
  const Outcome outcome = run(cavity("cpu"), {});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(directory_ / "out/summary.json"));
}

TEST_F(WithoutMpi, one_of_several_processes_says_what_to_build) {
  for (const char* launcher : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const Outcome outcome = run(cavity("cpu"), {{launcher, "3"}});
    EXPECT_EQ(outcome.exit_code, 4) << launcher;
    EXPECT_EQ(outcome.err,
              "error: this process was started as one of 3, but this build has no MPI; build with MAXWELL_DG_MPI=ON, "
              "or start one process alone\n");
  }
  EXPECT_FALSE(fs::exists(directory_ / "out/probes.csv"));
}

TEST_F(WithoutMpi, all_devices_are_refused) {
  const Outcome outcome = run(cavity("opencl:all"), {{"POCL_DEVICES", "pthread pthread"}});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("but this build has no MPI; build with MAXWELL_DG_MPI=ON, or name one device"),
            std::string::npos)
      << outcome.err;
}

TEST_F(OtherBuild, a_rank_of_another_version_is_noticed_before_the_first_step) {
  const Arguments arguments = cavity("cpu");
  Arguments both{"-n", "1", program_path()};
  both.insert(both.end(), arguments.begin(), arguments.end());
  const std::string other = (fs::path(program_path()).parent_path() / "maxwell_dg_of_another_version").string();
  both.insert(both.end(), {":", "-n", "1", other});
  both.insert(both.end(), arguments.begin(), arguments.end());
  const Outcome outcome = run_program(both, directory_.path(), {.program = MAXWELL_DG_MPIEXEC});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("rank 1 has another config, mesh, kind of device or version of this program than rank 0"),
            std::string::npos)
      << outcome.err;
  EXPECT_FALSE(fs::exists(directory_ / "out/probes.csv"));
}

}  // namespace
}  // namespace maxwell_dg::testing
