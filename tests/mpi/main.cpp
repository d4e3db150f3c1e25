// How a test program of several ranks begins and ends: every rank runs all tests, and each one's failures count. Ranks
// behind the first say something only where a test fails.
#include <cstdio>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/mpi/communicator.hpp"

namespace {

/// In place of GoogleTest's own listener on all ranks but the first.
class TellFailures : public testing::EmptyTestEventListener {
 public:
  explicit TellFailures(int rank) : rank_(rank) {}

 private:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::printf("rank %d: %s:%d: %s\n", rank_, result.file_name() != nullptr ? result.file_name() : "",
                result.line_number(), result.message());
  }
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto world = maxwell_dg::core::Communicator::world();
  if (!world.is_first()) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new TellFailures(world.rank()));  // which takes it over
  }
  double failed = RUN_ALL_TESTS();  // a test that fails on one rank fails
  world.sum({&failed, 1});
  return failed == 0 ? 0 : 1;
}
