#include "core/opencl/pocl_failure.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include "core/error.hpp"

namespace maxwell_dg::core::opencl {
namespace {

constexpr std::array signals{SIGABRT, SIGSEGV, SIGBUS};

/// What the handler needs, made beforehand: it may not allocate.
struct Prepared {
  std::string folder;
  std::string message;
};

Prepared& prepared() {
  static Prepared instance;
  return instance;
}

/// Whether a function of PoCL, or of a kernel that it compiled, is on this thread's stack.
bool stack_shows_pocl() {
  std::array<void*, 64> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  return std::any_of(frames.begin(), frames.begin() + count, [](void* frame) {
    Dl_info info{};
    return dladdr(frame, &info) != 0 && info.dli_fname != nullptr &&
           (std::strstr(info.dli_fname, "libpocl") != nullptr ||
            std::strstr(info.dli_fname, prepared().folder.c_str()) != nullptr);
  });
}

void handle(int signal) {
  std::signal(signal, SIG_DFL);
  if (!stack_shows_pocl()) {
    raise(signal);  // once the handler returns
    return;
  }
  const std::string& message = prepared().message;
  const ssize_t told = write(STDERR_FILENO, message.data(), message.size());
  _exit(told < 0 ? EXIT_FAILURE : static_cast<int>(ExitCode::device));
}

}  // namespace

void report_pocl_failures(const std::filesystem::path& folder) {
  prepared() = {.folder = folder.string(),
                .message =
                    "error: PoCL, the OpenCL driver for the CPU, gave up on compiling or loading a kernel; the "
                    "likely cause is its folder " +
                    folder.string() +
                    ": full, cut off by a limit (ulimit -f, a quota), or removed; set TMPDIR to a folder with "
                    "more room\n"};
  std::array<void*, 1> loads_what_backtrace_needs{};
  backtrace(loads_what_backtrace_needs.data(), 1);
  for (const int signal : signals) {
    struct sigaction present {};
    if (sigaction(signal, nullptr, &present) != 0 || (present.sa_flags & SA_SIGINFO) != 0 ||
        present.sa_handler != SIG_DFL) {
      continue;
    }
    struct sigaction ours {};
    ours.sa_handler = handle;
    sigaction(signal, &ours, nullptr);
  }
}

}  // namespace maxwell_dg::core::opencl
