#include "apps/start_ranks.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/mpi/launcher.hpp"

namespace maxwell_dg {
namespace {

constexpr std::array endings{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

// A signal handler can reach nothing but globals; these stay inside this file.
volatile std::sig_atomic_t received_signal = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
volatile pid_t launcher = -1;                    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void hand_on(int signal) {
  kill(launcher, received_signal == 0 ? SIGUSR2 : SIGTERM);
  received_signal = signal;
}

void on_endings(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (const int signal : endings) sigaction(signal, &action, nullptr);
}

/// In a group of its own, which no key of the terminal reaches, and without input, which would stop it there. Says by
/// `failed` why it could not become mpirun.
[[noreturn]] void become_launcher(const std::vector<char*>& argv, int failed) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  setpgid(0, 0);
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);  // as this process was given them
  on_endings(SIG_DFL);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  execvp(argv[0], argv.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t told = write(failed, &why, sizeof why);
  _exit(1);
}

/// Its process, or minus the number of the error for which it does not run.
pid_t start(std::vector<std::string> command) {
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<int, 2> failed{};
  if (pipe2(failed.data(), O_CLOEXEC) != 0) return -errno;
  const pid_t process = fork();
  if (process == 0) become_launcher(argv, failed[1]);
  const int no_process = errno;
  close(failed[1]);
  int why = process < 0 ? no_process : 0;
  while (process > 0 && read(failed[0], &why, sizeof why) < 0 && errno == EINTR) continue;
  close(failed[0]);
  if (why != 0 && process > 0) waitpid(process, nullptr, 0);
  return why == 0 ? process : -why;
}

}  // namespace

Launch launch_of(std::size_t ranks, const std::string& program, const std::vector<std::string>& arguments,
                 bool is_root) {
  const std::string count = std::to_string(ranks);
  Launch launch{.command = {"mpirun", "-n", count, "--host", "localhost:" + count, program}, .environment = {}};
  launch.command.insert(launch.command.end(), arguments.begin(), arguments.end());
  // Open MPI 4 reads OMPI_MCA_*, Open MPI 5 PRTE_MCA_*.
  launch.environment = {{"OMPI_MCA_hwloc_base_binding_policy", "none"},
                        {"PRTE_MCA_hwloc_default_binding_policy", "none"}};
  if (is_root) launch.environment.insert({{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}});
  return launch;
}

ExitCode start_ranks(std::size_t ranks, const std::string& device, const std::vector<std::string>& arguments) {
  const std::string asked =
      "device '" + device + "' starts a process for each of " + std::to_string(ranks) + " devices";
  if (!core::has_mpi()) {
    throw ConfigError(asked + ", but this build has no MPI; build with MAXWELL_DG_MPI=ON, or name one device");
  }
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const Launch launch = launch_of(ranks, program, arguments, ::geteuid() == 0);
  for (const auto& [name, value] : launch.environment) ::setenv(name.c_str(), value.c_str(), 0);
  const pid_t process = start(launch.command);
  if (process < 0) {
    throw ConfigError(asked + " by mpirun, which cannot be started (" + std::generic_category().message(-process) +
                      "); install openmpi-bin or put it into PATH, or name one device");
  }
  launcher = process;
  on_endings(hand_on);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  on_endings(SIG_DFL);
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return static_cast<ExitCode>(code != 0 && received_signal != 0 ? 128 + received_signal : code);
}

}  // namespace maxwell_dg
