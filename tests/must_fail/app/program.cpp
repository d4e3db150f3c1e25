#include "tests/must_fail/app/program.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/atomic_file.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

/// Seen by this process alone.
void mount_temporary_files(const std::string& options) {
  const uid_t user = getuid();
  const gid_t group = getgid();
  if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) _exit(77);
  if (user != 0) {  // others than root may mount in a user namespace of their own
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  }
  const bool noexec = options.find("noexec") != std::string::npos;
  const std::string rest = options.substr(0, options.find(",noexec"));
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", "/mnt", "tmpfs", noexec ? MS_NOEXEC : 0, rest.c_str()) != 0) {
    _exit(77);
  }
  setenv("TMPDIR", "/mnt", 1);
}

/// By seccomp itself: from here on that call does not exist.
void take_seccomp_away() {
  std::array<sock_filter, 4> code{{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                                   {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_seccomp},
                                   {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                                   {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
  const sock_fprog program{code.size(), code.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(77);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0 && errno != ENOSYS) _exit(77);
}

[[noreturn]] void become_program(std::vector<char*>& argv, const char* out, const char* err,
                                 const Conditions& conditions) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed for its time takes the program along
  for (const auto& [name, value] : conditions.environment) setenv(name.c_str(), value.c_str(), 1);
  if (conditions.obeys_permissions) prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
  for (const int signal : conditions.ignored_signals) std::signal(signal, SIG_IGN);
  if (conditions.largest_file) {
    const rlimit limit{*conditions.largest_file, *conditions.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (conditions.address_space) {
    const rlimit limit{*conditions.address_space, *conditions.address_space};
    setrlimit(RLIMIT_AS, &limit);
  }
  if (conditions.without_seccomp) take_seccomp_away();
  if (!conditions.temporary_files.empty()) mount_temporary_files(conditions.temporary_files);
  dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  std::array<int, 2> ends{};
  if (!conditions.without_reader.empty() && pipe2(ends.data(), O_CLOEXEC) != 0) _exit(127);
  for (const int descriptor : conditions.without_reader) dup2(ends[1], descriptor);
  if (!conditions.without_reader.empty()) close(ends[0]);
  for (const int descriptor : conditions.closed) close(descriptor);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

Program::Program(std::vector<std::string> arguments, const fs::path& scratch, const Conditions& conditions) {
  static std::atomic<int> counter = 0;
  const std::string name = "said_" + std::to_string(counter++);
  out_ = scratch / (name + ".out");
  err_ = scratch / (name + ".err");
  arguments.insert(arguments.begin(), (fs::path(MAXWELL_DG_PROGRAM).parent_path() / conditions.program).string());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) become_program(argv, out_.c_str(), err_.c_str(), conditions);
}

Program::Program(Program&& other) noexcept
    : out_(std::move(other.out_)), err_(std::move(other.err_)), pid_(std::exchange(other.pid_, -1)) {}

Program::~Program() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Program::send(int signal) const {
  kill(pid_, signal);
}

Outcome Program::wait() {
  int status = 0;
  if (waitpid(std::exchange(pid_, -1), &status, 0) < 0) throw std::runtime_error("cannot wait for the program");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(out_), content_of(err_)};
}

std::string program_path() {
  return MAXWELL_DG_PROGRAM;
}

Outcome run_program(std::vector<std::string> arguments, const fs::path& scratch, const Conditions& conditions) {
  return Program(std::move(arguments), scratch, conditions).wait();
}

Outcome run_config(const fs::path& folder, const std::string& config, const std::vector<std::string>& more) {
  write_file_atomically(folder / "config.yaml", config);
  std::vector<std::string> arguments{(folder / "config.yaml").string(), "--output", (folder / "out").string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(std::move(arguments), folder);
}

std::vector<std::string> with_set(const std::vector<std::string>& assignments) {
  std::vector<std::string> arguments;
  for (const std::string& assignment : assignments) arguments.insert(arguments.end(), {"--set", assignment});
  return arguments;
}

std::string cavity_config() {
  return R"yaml(units: normalized
mesh:
  box: {min: [-1, -1, -1], max: [1, 1, 0], cells: [2, 2, 1]}
solver: {order: 2, precision: double, integrator: lsrk54}
time: {end: 2}
materials:
  - {region: interior, epsilon_r: 1}
boundaries:
  - {region: "*", type: pec}
constants: {w: 2.221441469079183}
initial_fields:
  E: ["0", "0", "cos(pi*x/2)*cos(pi*y/2)"]
reference_solution:
  E: ["0", "0", "cos(pi*x/2)*cos(pi*y/2)*cos(w*t)"]
  H: ["pi/2/w*cos(pi*x/2)*sin(pi*y/2)*sin(w*t)", "-pi/2/w*sin(pi*x/2)*cos(pi*y/2)*sin(w*t)", "0"]
outputs:
  directory: out
  probes: [{name: p1, at: [0, 0, -0.1]}]
  energy: {every: 5}
)yaml";
}

Outcome run_cavity(const fs::path& folder, std::vector<std::string> more, const Conditions& conditions) {
  write_file_atomically(folder / "cavity.yaml", cavity_config());
  std::vector<std::string> arguments{(folder / "cavity.yaml").string(), "--set",
                                     "outputs.directory=" + (folder / "out").string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(std::move(arguments), folder, conditions);
}

}  // namespace maxwell_dg::testing
