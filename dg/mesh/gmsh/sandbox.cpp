#include "dg/mesh/gmsh/sandbox.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <termios.h>
#include <ucontext.h>
#include <unistd.h>

namespace maxwell_dg::dg {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
using Register = greg_t;
Register& register_of_result(ucontext_t& context) {
  return context.uc_mcontext.gregs[REG_RAX];
}
Register register_of_argument(const ucontext_t& context, int i) {
  return context.uc_mcontext.gregs[i == 0 ? REG_RDI : REG_RSI];
}
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
using Register = unsigned long long;
Register& register_of_result(ucontext_t& context) {
  return context.uc_mcontext.regs[0];
}
Register register_of_argument(const ucontext_t& context, int i) {
  return context.uc_mcontext.regs[i];
}
#else
constexpr std::uint32_t architecture = 0;  // nobody has tried
using Register = long;
Register& register_of_result(ucontext_t&) {
  static Register none;
  return none;
}
Register register_of_argument(const ucontext_t&, int) {
  return 0;
}
#endif

// What the filter tells the handler, in si_errno: which argument is the path, or that a process was to be started.
constexpr std::uint32_t path_is_first = 0, path_is_second = 1, starts_process = 2;

/// The path of the first refusal. A signal handler can reach nothing but a global; this one stays inside this file.
std::array<char, 256> first_refused{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void on_refused(int, siginfo_t* info, void* raw_context) {
  if (info->si_errno == static_cast<int>(starts_process)) _exit(static_cast<int>(ChildExit::starts_process));
  auto& context = *static_cast<ucontext_t*>(raw_context);
  const auto* path = reinterpret_cast<const char*>(register_of_argument(context, info->si_errno));
  if (first_refused[0] == '\0' && path != nullptr) std::strncpy(first_refused.data(), path, first_refused.size() - 1);
  register_of_result(context) = static_cast<Register>(-EACCES);
}

/// What reading files and computing need. Linux numbers system calls by architecture; older ones exist on x86 alone.
const std::vector<long>& harmless_calls() {
  static const std::vector<long> calls{
#ifdef SYS_stat
      SYS_stat,
      SYS_lstat,
      SYS_access,
      SYS_readlink,
      SYS_getdents,
      SYS_poll,
      SYS_select,
      SYS_time,
      SYS_getpgrp,
      SYS_arch_prctl,
      SYS_dup2,
#endif
#ifdef SYS_rseq
      SYS_rseq,
#endif
#ifdef SYS_faccessat2
      SYS_faccessat2,
#endif
      SYS_read,
      SYS_readv,
      SYS_pread64,
      SYS_write,
      SYS_writev,
      SYS_close,
      SYS_fstat,
      SYS_newfstatat,
      SYS_statx,
      SYS_statfs,
      SYS_fstatfs,
      SYS_lseek,
      SYS_faccessat,
      SYS_readlinkat,
      SYS_getcwd,
      SYS_getdents64,
      SYS_dup,
      SYS_dup3,
      SYS_fadvise64,
      SYS_ppoll,
      SYS_pselect6,
      SYS_mmap,
      SYS_mprotect,
      SYS_munmap,
      SYS_mremap,
      SYS_madvise,
      SYS_brk,
      SYS_rt_sigaction,
      SYS_rt_sigprocmask,
      SYS_rt_sigreturn,
      SYS_sigaltstack,
      SYS_restart_syscall,
      SYS_nanosleep,
      SYS_clock_nanosleep,
      SYS_clock_gettime,
      SYS_clock_getres,
      SYS_gettimeofday,
      SYS_times,
      SYS_getrusage,
      SYS_getpid,
      SYS_gettid,
      SYS_getppid,
      SYS_getuid,
      SYS_geteuid,
      SYS_getgid,
      SYS_getegid,
      SYS_uname,
      SYS_sysinfo,
      SYS_sched_yield,
      SYS_sched_getaffinity,
      SYS_getcpu,
      SYS_getpriority,
      SYS_futex,
      SYS_set_robust_list,
      SYS_get_robust_list,
      SYS_set_tid_address,
      SYS_membarrier,
      SYS_getrandom,
      SYS_getrlimit,
      SYS_exit,
      SYS_exit_group};
  return calls;
}

struct PathCall {
  long number;
  std::uint32_t path;  ///< which argument
};

/// What changes files by their names. All that is in neither list does not exist for the process.
const std::vector<PathCall>& calls_that_write() {
  static const std::vector<PathCall> calls{
#ifdef SYS_creat
      {SYS_creat, path_is_first},     {SYS_unlink, path_is_first},     {SYS_rename, path_is_first},
      {SYS_mkdir, path_is_first},     {SYS_rmdir, path_is_first},      {SYS_link, path_is_first},
      {SYS_symlink, path_is_second},  {SYS_mknod, path_is_first},      {SYS_chmod, path_is_first},
#endif
#ifdef SYS_renameat
      {SYS_renameat, path_is_second},
#endif
      {SYS_unlinkat, path_is_second}, {SYS_renameat2, path_is_second}, {SYS_mkdirat, path_is_second},
      {SYS_linkat, path_is_second},   {SYS_mknodat, path_is_second},   {SYS_fchmodat, path_is_second},
      {SYS_truncate, path_is_first},  {SYS_utimensat, path_is_second}};
  return calls;
}

const std::vector<long>& calls_that_start_processes() {
  static const std::vector<long> calls{
#ifdef SYS_fork
      SYS_fork, SYS_vfork,
#endif
      SYS_execve, SYS_execveat};
  return calls;
}

/// A program for the kernel, which runs it on each system call: the first rule that fits decides.
class Filter {
 public:
  Filter() {
    // Numbers mean something else on another architecture; on x86-64 those from 2^30 on are of x32.
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load_number();
    add(BPF_JMP | BPF_JGE | BPF_K, 1U << 30U, 0, 1);
    answer(SECCOMP_RET_KILL_PROCESS);
  }
  void decide(long number, std::uint32_t verdict) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1);
    answer(verdict);
  }
  /// By whether any of these bits is set in an argument.
  void decide_by_bits(long number, int argument, std::uint32_t bits, std::uint32_t if_set, std::uint32_t if_none) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4);
    load(low_word(argument));
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(if_set);
    answer(if_none);
  }
  /// Allowed where an argument is no address, else as if there were no such call.
  void allow_if_null(long number, int argument) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 6);
    load(low_word(argument));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(low_word(argument) + 4);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(unknown_call);
  }
  /// Allowed where an argument is one of these, else as if there were no such call.
  void allow_only(long number, int argument, const std::vector<std::uint32_t>& values) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0,
        static_cast<std::uint8_t>(2 + 2 * values.size()));
    load(low_word(argument));
    for (const std::uint32_t value : values) {
      add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
      answer(SECCOMP_RET_ALLOW);
    }
    answer(unknown_call);
  }
  void decide_others() { answer(unknown_call); }

  [[nodiscard]] bool install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  }

 private:
  /// As an old kernel answers, so that libraries do without.
  static constexpr std::uint32_t unknown_call = SECCOMP_RET_ERRNO | ENOSYS;

  static std::uint32_t low_word(int argument) {  // both architectures are little-endian
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(argument));
  }
  void add(int code, std::uint32_t k, std::uint8_t if_true, std::uint8_t if_false) {
    code_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, k});
  }
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0); }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  void answer(std::uint32_t verdict) { add(BPF_RET | BPF_K, verdict, 0, 0); }

  std::vector<sock_filter> code_;
};

bool install_handler() {
  struct sigaction action {};
  action.sa_sigaction = on_refused;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  return sigaction(SIGSYS, &action, nullptr) == 0;
}

Filter make_filter() {
  constexpr std::uint32_t trap = SECCOMP_RET_TRAP, allow = SECCOMP_RET_ALLOW;
  // O_TMPFILE itself has the bit of O_DIRECTORY, which may be read.
  constexpr std::uint32_t writes = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  Filter filter;
#ifdef SYS_open
  filter.decide_by_bits(SYS_open, 1, writes, trap | path_is_first, allow);
#endif
  filter.decide_by_bits(SYS_openat, 2, writes, trap | path_is_second, allow);
  filter.decide_by_bits(SYS_clone, 0, CLONE_THREAD, allow, trap | starts_process);
  filter.allow_only(SYS_tgkill, 0, {static_cast<std::uint32_t>(getpid())});  // abort()
  filter.allow_only(SYS_ioctl, 1, {TCGETS});                                 // is it a terminal?
  filter.allow_only(SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC});
  filter.allow_if_null(SYS_prlimit64, 2);  // asks, sets nothing
  for (const long number : harmless_calls()) filter.decide(number, allow);
  for (const PathCall& call : calls_that_write()) filter.decide(call.number, trap | call.path);
  for (const long number : calls_that_start_processes()) filter.decide(number, trap | starts_process);
  filter.decide_others();
  return filter;
}

void set_limit(int resource, std::size_t most) {
  const rlimit limit{most, most};
  (void)setrlimit(static_cast<__rlimit_resource>(resource), &limit);  // a lower one that stands is as good
}

// The sanitizers' own memory counts, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_can_be_bounded = false;
#else
constexpr bool memory_can_be_bounded = true;
#endif

}  // namespace

void bound_this_process(const Bounds& bounds) {
  set_limit(RLIMIT_CORE, 0);
  if (bounds.cpu_seconds > 0) {  // at the second one, which is never reached, it would be a bare SIGKILL
    const rlimit limit{bounds.cpu_seconds, bounds.cpu_seconds + 5};
    (void)setrlimit(RLIMIT_CPU, &limit);
  }
  if (bounds.memory_bytes == 0 || !memory_can_be_bounded) return;
  set_limit(RLIMIT_DATA, bounds.memory_bytes);
  std::set_new_handler([] { _exit(static_cast<int>(ChildExit::out_of_memory)); });
}

std::string read_and_compute_only() {
  if (architecture == 0) return "there is no list of system calls for this processor";
  if (!install_handler() || !make_filter().install()) return std::string("seccomp: ") + std::strerror(errno);
  return {};
}

std::string refused_file() {
  return first_refused.data();
}

}  // namespace maxwell_dg::dg
