// How every test program begins and ends: as GoogleTest's own main, but each skipped test says why in one line, and a
// program that skipped all that it was asked for ends with the code that CTest takes for skipped.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace {

constexpr int all_skipped = 77;

class TellSkipped : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& test) override {
    tell(test.result(), std::string(test.test_suite_name()) + "." + test.name());
  }
  void OnTestSuiteEnd(const testing::TestSuite& suite) override { tell(&suite.ad_hoc_test_result(), suite.name()); }

  static void tell(const testing::TestResult* result, const std::string& name) {
    for (int i = 0; i < result->total_part_count(); ++i) {
      const testing::TestPartResult& part = result->GetTestPartResult(i);
      if (!part.skipped()) continue;
      std::string reason = part.message();
      while (!reason.empty() && reason.back() == '\n') reason.pop_back();
      std::printf("skipped: %s: %s\n", name.c_str(), reason.c_str());
    }
  }
};

/// A child process that a test starts runs what the test asks it for, not this process's share of that.
class ChildrenTakeNoShare : public testing::EmptyTestEventListener {
  void OnEnvironmentsSetUpStart(const testing::UnitTest&) override {
    for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) unsetenv(name);
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  tests.listeners().Append(new TellSkipped);  // which takes it over
  tests.listeners().Append(new ChildrenTakeNoShare);
  const int code = RUN_ALL_TESTS();
  return code == 0 && tests.skipped_test_count() > 0 && tests.successful_test_count() == 0 ? all_skipped : code;
}
