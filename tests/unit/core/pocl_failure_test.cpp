#include "core/opencl/pocl_failure.hpp"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

namespace maxwell_dg::core::opencl {
namespace {

/// abort lies in the C library, which stands for a kernel in PoCL's folder here.
[[noreturn]] void abort_with_folder(const char* folder) {
  std::signal(SIGABRT, SIG_DFL);
  report_pocl_failures(folder);
  std::abort();
}

TEST(PoclFailure, in_a_kernel_is_an_error_line_and_the_exit_code_of_devices) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(abort_with_folder("libc.so"), testing::ExitedWithCode(4), "^error: PoCL.*libc.so.*set TMPDIR");
}

TEST(PoclFailure, elsewhere_stays_what_it_is) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(abort_with_folder("/nowhere/kernels"), testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace maxwell_dg::core::opencl
