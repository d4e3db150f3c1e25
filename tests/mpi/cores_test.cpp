#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sched.h>

#include "core/atomic_file.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Ranks on a CPU divide its cores.
namespace maxwell_dg::testing {
namespace {

/// Lets this process, and what it starts, use so many of its cores alone; all of them again at its end.
class Cores {
 public:
  explicit Cores(int wanted) {
    CPU_ZERO(&all_);
    sched_getaffinity(0, sizeof all_, &all_);
    cpu_set_t some;
    CPU_ZERO(&some);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&some) < wanted; ++core) {
      if (CPU_ISSET(core, &all_)) CPU_SET(core, &some);
    }
    sched_setaffinity(0, sizeof some, &some);
    count = CPU_COUNT(&some);
  }
  ~Cores() { sched_setaffinity(0, sizeof all_, &all_); }
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  int count = 0;

 private:
  cpu_set_t all_{};
};

struct Said {
  std::vector<std::string> devices;  ///< [rank]
  std::string err;
};

/// A short run of ranks which mpirun does not bind, so that each may use all cores that there are.
Said unbound_run(int ranks) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  const Outcome outcome = run_program(
      mpirun_arguments(
          ranks, {(directory / "config.yaml").string(), "--device", "cpu", "--output", (directory / "out").string()},
          {"--bind-to", "none"}),
      directory.path(), {.program = MAXWELL_DG_MPIEXEC});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  Said said{.devices = {}, .err = outcome.err};
  const auto summary = nlohmann::json::parse(content_of(directory / "out/summary.json"));
  for (const auto& rank : summary["ranks"]) said.devices.push_back(rank["device"]);
  return said;
}

TEST(CoresOfRanks, are_divided_among_those_that_may_use_them) {
  const Cores cores(2);
  if (cores.count < 2) GTEST_SKIP() << "one core";
  const Said said = unbound_run(2);
  ASSERT_EQ(said.devices.size(), 2U);
  for (const std::string& device : said.devices) EXPECT_TRUE(device.ends_with(", 1 thread")) << device;
  EXPECT_EQ(said.err.find("wait for each other"), std::string::npos) << said.err;
}

TEST(CoresOfRanks, that_are_fewer_than_ranks_are_warned_of_once) {
  const Cores one(1);
  const Said said = unbound_run(2);
  ASSERT_EQ(said.devices.size(), 2U);
  for (const std::string& device : said.devices) EXPECT_TRUE(device.ends_with(", 1 thread")) << device;
  const std::string text = ": 2 ranks on 1 core wait for each other at every stage; start at most one rank a core";
  const std::size_t first = said.err.find(text);
  ASSERT_NE(first, std::string::npos) << said.err;
  EXPECT_EQ(said.err.find(text, first + 1), std::string::npos) << said.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
