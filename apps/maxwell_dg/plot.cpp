#include "apps/maxwell_dg/plot.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

constexpr int is_missing = 127;  // as shells say it: there is no such program

/// Starts a program, looked for in the path, without a shell; waits for its end. Its exit code, 128 + the signal that
/// ended it, or `is_missing`.
int status_of(std::vector<std::string> words, bool quiet) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (quiet) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = -1;
  const int failure = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return is_missing;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<std::string> interpreters() {
  const char* const wanted = std::getenv("MAXWELL_DG_PYTHON");
  if (wanted != nullptr && *wanted != '\0') return {wanted};
  return {"python3", "/usr/bin/python3"};
}

std::string find_interpreter() {
  std::string tried;
  for (const std::string& python : interpreters()) {
    const int status = status_of({python, "-c", "import numpy, matplotlib"}, true);
    if (status == 0) return python;
    tried += (tried.empty() ? "" : ", and ") + python + (status == is_missing ? " is not there" : " lacks them");
  }
  throw ConfigError("--plot draws by Python with NumPy and Matplotlib: " + tried +
                    "; install python3-numpy and python3-matplotlib, or name another interpreter by MAXWELL_DG_PYTHON");
}

fs::path find_package() {
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path package = "maxwell_dg_results/__main__.py", file = prefix / "share/maxwell_dg" / package;
  for (const fs::path& place : {file, prefix.parent_path() / package}) {  // the latter in a package of Python
    if (fs::exists(place)) return place;
  }
  throw ConfigError("--plot: there is no " + file.string() +
                    "; install the program by `cmake --install`, which puts it there");
}

}  // namespace

ExitCode plot(const CommandLine& command) {
  std::vector<std::string> words{find_interpreter(), "-B", find_package().string(), "plot"};
  if (command.output) words.insert(words.end(), {"--output", command.output->string()});
  words.emplace_back("--");
  words.insert(words.end(), command.runs.begin(), command.runs.end());
  return static_cast<ExitCode>(status_of(words, false));
}

}  // namespace maxwell_dg
