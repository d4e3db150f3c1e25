// What a process may still do that reads for others: each claim is tried in a child.
#include "dg/mesh/gmsh/sandbox.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace maxwell_dg::dg {
namespace {

constexpr int held = 7, no_sandbox = 8;

/// How a child ends in which `claim` is asked after the system has been told: waitpid's status.
int status_of(const std::function<bool()>& claim) {
  const pid_t pid = fork();
  if (pid == 0) {
    if (!read_and_compute_only().empty()) _exit(no_sandbox);
    _exit(claim() ? held : 0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

bool holds(const std::function<bool()>& claim) {
  const int status = status_of(claim);
  return WIFEXITED(status) && WEXITSTATUS(status) == held;
}

class Sandbox : public ::testing::Test {
 protected:
  void SetUp() override {
    const int status = status_of([] { return true; });
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_sandbox) GTEST_SKIP() << "this system has no seccomp";
  }
  ~Sandbox() override { std::filesystem::remove(file_); }
  const std::string file_ = ::testing::TempDir() + "sandbox_" + std::to_string(getpid());
};

TEST_F(Sandbox, files_are_read_and_threads_started) {
  EXPECT_TRUE(holds([] {
    std::string line;
    return static_cast<bool>(std::getline(std::ifstream("/proc/self/status"), line));
  }));
  EXPECT_TRUE(holds([] {
    bool ran = false;
    std::thread([&] { ran = true; }).join();
    return ran;
  }));
}

TEST_F(Sandbox, no_file_is_written_by_any_way_of_opening_it) {
  std::ofstream(file_) << "mine";
  const char* file = file_.c_str();
  for (const int flags : {O_WRONLY, O_RDWR, O_WRONLY | O_APPEND, O_RDONLY | O_TRUNC, O_RDONLY | O_CREAT}) {
    EXPECT_TRUE(holds([&] { return open(file, flags, 0600) < 0 && errno == EACCES; })) << flags;
    EXPECT_TRUE(holds([&] { return openat(AT_FDCWD, file, flags, 0600) < 0 && errno == EACCES; })) << flags;
  }
  EXPECT_TRUE(holds([] { return open("/tmp", O_TMPFILE | O_RDWR, 0600) < 0; }));
  EXPECT_TRUE(holds([&] { return open(file, O_RDWR) < 0 && refused_file() == file_; }));
  EXPECT_EQ(std::filesystem::file_size(file_), 4U);
}

TEST_F(Sandbox, no_file_is_changed_by_its_name) {
  std::ofstream(file_) << "mine";
  const char* file = file_.c_str();
  const std::string other = file_ + "_other";
  EXPECT_TRUE(holds([&] { return unlink(file) < 0 && truncate(file, 0) < 0 && chmod(file, 0) < 0; }));
  EXPECT_TRUE(holds([&] { return rename(file, other.c_str()) < 0 && link(file, other.c_str()) < 0; }));
  EXPECT_TRUE(holds([&] { return symlink(file, other.c_str()) < 0 && mkdir(other.c_str(), 0700) < 0; }));
  EXPECT_TRUE(holds([&] {
    const int descriptor = open(file, O_RDONLY);
    return descriptor >= 0 && fchmod(descriptor, 0) < 0 && ftruncate(descriptor, 0) < 0;
  }));
  EXPECT_EQ(std::filesystem::file_size(file_), 4U);
  EXPECT_FALSE(std::filesystem::exists(other));
}

/// Ended for it, by the handler or, where signals are blocked, by the kernel.
void expect_ended(const std::function<bool()>& start) {
  const int status = status_of(start);
  const bool by_handler = WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(ChildExit::starts_process);
  EXPECT_TRUE(by_handler || (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)) << status;
}

TEST_F(Sandbox, no_process_is_started) {
  expect_ended([] { return fork() >= 0; });
  expect_ended([] { return std::system("true") == 0; });
  expect_ended([] { return execl("/bin/true", "true", nullptr) == 0; });
  EXPECT_TRUE(holds([] { return syscall(SYS_clone3, nullptr, 0) < 0 && errno == ENOSYS; }));
}

TEST_F(Sandbox, no_other_process_terminal_or_network_is_reached) {
  const pid_t parent = getpid();
  EXPECT_TRUE(holds([&] { return kill(parent, 0) < 0 && syscall(SYS_tgkill, parent, parent, 0) < 0; }));
  EXPECT_TRUE(holds([&] { return ptrace(PTRACE_ATTACH, parent, nullptr, nullptr) < 0; }));
  EXPECT_TRUE(holds([&] {
    const rlimit none{0, 0};
    rlimit now{};
    return syscall(SYS_prlimit64, parent, RLIMIT_NOFILE, &none, nullptr) < 0 && getrlimit(RLIMIT_NOFILE, &now) == 0;
  }));
  EXPECT_TRUE(holds([] { return socket(AF_UNIX, SOCK_STREAM, 0) < 0; }));
  EXPECT_TRUE(holds([] { return ioctl(0, TIOCSTI, "x") < 0 && errno == ENOSYS; }));
}

TEST_F(Sandbox, calls_that_hide_others_do_not_exist) {
  EXPECT_TRUE(holds([] { return syscall(SYS_io_uring_setup, 1, nullptr) < 0 && errno == ENOSYS; }));
  EXPECT_TRUE(holds([] { return syscall(SYS_openat2, AT_FDCWD, "/", nullptr, 0) < 0 && errno == ENOSYS; }));
  EXPECT_TRUE(holds([] { return syscall(100000) < 0 && errno == ENOSYS; })) << "calls of kernels to come";
#if defined(__x86_64__)
  constexpr long x32 = 0x40000000;
  const int status = status_of([] { return syscall(x32 + SYS_getpid) > 0; });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << "x32";
#endif
}

TEST_F(Sandbox, it_cannot_be_lifted) {
  EXPECT_TRUE(holds([] { return prctl(PR_SET_SECCOMP, 0) < 0 && syscall(SYS_seccomp, 0, 0, nullptr) < 0; }));
}

TEST(Bounds, more_memory_ends_the_process) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers' own memory counts, too";
#endif
  const pid_t pid = fork();
  if (pid == 0) {
    bound_this_process({.memory_bytes = std::size_t{1} << 28, .cpu_seconds = 0});
    for (std::size_t n = 1; n < 100; ++n) std::fill_n(new char[n << 24], n << 24, 'x');
    _exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), static_cast<int>(ChildExit::out_of_memory));
}

TEST(Bounds, more_computing_ends_the_process) {
  const pid_t pid = fork();
  if (pid == 0) {
    bound_this_process({.memory_bytes = 0, .cpu_seconds = 1});
    for (volatile bool forever = true; forever;) {
    }
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) << status;
}

}  // namespace
}  // namespace maxwell_dg::dg
