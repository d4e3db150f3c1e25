#include "dg/mesh/gmsh/child.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/gmsh/answer.hpp"
#include "dg/mesh/gmsh/request.hpp"
#include "dg/mesh/gmsh/sandbox.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

/// Of its words the last ones are kept.
constexpr std::size_t words_kept = 2000;

/// One end of a pipe or a file, closed when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void throw_no_child(const std::string& file, int error) {
  throw MeshError(file + ": the process that reads Gmsh's files cannot be started: " + std::strerror(error));
}

/// Both ends lie above the descriptors that the child gets, and no other program inherits them.
std::array<int, 2> open_pipe(const std::string& file) {
  std::array<int, 2> ends{}, moved{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw_no_child(file, errno);
  std::ranges::transform(ends, moved.begin(), [](int end) {
    const int above = fcntl(end, F_DUPFD_CLOEXEC, answer_descriptor + 1);
    ::close(end);
    return above;
  });
  return moved;
}

struct Pipe {
  explicit Pipe(const std::array<int, 2>& ends) : from(ends[0]), to(ends[1]) {}
  Descriptor from, to;
};

/// Beside this program, where they were built or are installed together; else where it was to be installed.
fs::path gmsh_program(const std::string& file) {
  if (const char* named = std::getenv("MAXWELL_DG_GMSH_PROGRAM")) return named;
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::string name = "maxwell_dg_gmsh";
  for (const fs::path& place :
       {here / name, here.parent_path() / "libexec/maxwell_dg" / name, fs::path(MAXWELL_DG_GMSH_INSTALLED)}) {
    if (::access(place.c_str(), X_OK) == 0) return place;
  }
  throw MeshError(file + ": the program " + name + ", which reads Gmsh's files, is neither beside this one (" +
                  here.string() +
                  ") nor at " MAXWELL_DG_GMSH_INSTALLED ": install it, or say where it is by MAXWELL_DG_GMSH_PROGRAM");
}

/// The child, ended and waited for at the latest when this goes out of scope.
class Child {
 public:
  Child(const GmshRequest& request, int said, int answer) {
    const std::string file = request.file.string(), program = gmsh_program(file).string();
    std::vector<std::string> words = request.command_line(program);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, said, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, answer, answer_descriptor);
    const int error = posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw_no_child(file + ": " + program, error);
  }
  ~Child() {
    if (pid_ < 0) return;
    kill();
    (void)wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void kill() const { ::kill(pid_, SIGKILL); }
  /// Its status as waitpid gives it. It has closed its answer, so it ends, or is made to.
  int wait() {
    constexpr std::chrono::milliseconds pause{10}, patience{5000};
    int status = 0;
    for (auto waited = pause; waitpid(pid_, &status, WNOHANG) == 0; waited += pause) {
      if (waited > patience) kill();
      std::this_thread::sleep_for(pause);
    }
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_ = -1;
};

/// What came from a child that has ended.
struct Heard {
  std::vector<std::byte> answer;
  std::string words;  ///< the last ones on stdout and stderr
  bool was_silent = false, said_too_much = false;
};

/// Reads what is there; false at the end.
template <class Take>
bool take_from(const Descriptor& pipe, const Take& take) {
  std::array<std::byte, std::size_t{1} << 16> buffer;
  const ssize_t n = ::read(pipe.number(), buffer.data(), buffer.size());
  if (n > 0) take(std::span(buffer).first(static_cast<std::size_t>(n)));
  return n > 0 || (n < 0 && errno == EINTR);
}

void log_said(const Said& said, const std::string& file) {
  said.is_warning ? log_warning(file + ": " + said.text) : log_info(file + ": " + said.text);
}

/// Until the answer has an end: what a trusted script has started may keep the other pipe open. Tells at once what is
/// for the user.
Heard listen(const Descriptor& said, const Descriptor& answer, const GmshRequest& request,
             std::chrono::seconds longest_silence) {
  constexpr int step_ms = 1000;
  const std::size_t longest_answer = request.bounds().memory_bytes;
  Heard heard;
  std::size_t told = 0;
  std::chrono::milliseconds silence{0};  // in short steps, so that a process that was stopped for an hour counts one
  bool speaks = true;
  while (true) {
    std::array<pollfd, 2> ready{{{answer.number(), POLLIN, 0}, {speaks ? said.number() : -1, POLLIN, 0}}};
    const int count = poll(ready.data(), ready.size(), step_ms);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
    heard.said_too_much = heard.answer.size() > longest_answer;
    silence = count > 0 ? std::chrono::milliseconds{0} : silence + std::chrono::milliseconds{step_ms};
    heard.was_silent = silence >= longest_silence;
    if (heard.said_too_much || heard.was_silent) return heard;
    if (ready[1].revents != 0) {
      speaks = take_from(said, [&](std::span<const std::byte> bytes) {
        heard.words.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (heard.words.size() > 2 * words_kept) heard.words.erase(0, heard.words.size() - words_kept);
      });
    }
    if (ready[0].revents != 0 && !take_from(answer, [&](std::span<const std::byte> bytes) {
          heard.answer.insert(heard.answer.end(), bytes.begin(), bytes.end());
          for (const Said& news : said_since(heard.answer, told)) log_said(news, request.file.string());
        })) {
      return heard;
    }
  }
}

/// The last line of what it said, as text that a terminal may get.
std::string last_words(const Heard& heard) {
  std::string text = heard.words;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  const std::size_t end_of_line = text.find_last_of("\r\n");
  if (end_of_line != std::string::npos) text.erase(0, end_of_line + 1);
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return text.empty() ? text : "; its last words were: " + text;
}

std::string remedy(const GmshRequest& request) {
  if (!is_geometry(request.kind())) {
    return "the file is damaged, or Gmsh has a fault: write it anew, as another version of MSH where that does not "
           "help";
  }
  const bool is_curved = request.meshing.order > 1;
  return std::string(is_curved ? "take another mesh.size or a lower mesh.order, or " : "") +
         "open the geometry in Gmsh to see where it fails";
}

/// The library that the loader of programs did not find, empty where it found all.
std::string missing_library(const Heard& heard) {
  const std::string complaint = "error while loading shared libraries: ";
  const std::size_t at = heard.words.find(complaint);
  if (at == std::string::npos) return {};
  const std::size_t first = at + complaint.size();
  return heard.words.substr(first, heard.words.find_first_of(": \n", first) - first);
}

/// Why there is no mesh, by how the child has ended.
std::string failure(const GmshRequest& request, int status, const Heard& heard, std::chrono::seconds silence) {
  const std::string words = last_words(heard), and_remedy = ": " + remedy(request);
  const Bounds bounds = request.bounds();
  if (heard.was_silent) {
    const bool is_short = silence < std::chrono::minutes{1};
    const std::string time =
        is_short ? std::to_string(silence.count()) + " s" : core::counted(silence.count() / 60, "minute", "minutes");
    return "Gmsh has been silent for " + time + ", so it was ended" + words + and_remedy;
  }
  if (heard.said_too_much) return "Gmsh made an endless mesh of it" + and_remedy;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    return "Gmsh was not done after " + std::to_string(bounds.cpu_seconds) +
           " s of computing, far more than a file of this size needs" + and_remedy;
  }
  const bool exited = WIFEXITED(status);
  if (exited && WEXITSTATUS(status) == static_cast<int>(ChildExit::out_of_memory)) {
    return "Gmsh wanted more than " + std::to_string(bounds.memory_bytes >> 20U) + " MiB of memory, " +
           (is_geometry(request.kind()) ? "all that this machine has" : "far more than a file of this size needs") +
           and_remedy;
  }
  if ((exited && WEXITSTATUS(status) == static_cast<int>(ChildExit::starts_process)) ||
      (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)) {
    return "it starts another program, which a mesh or geometry may not; if you trust it, read it with "
           "--trust-geometry";
  }
  constexpr int does_not_start = 127;  // says the loader
  if (const std::string library = missing_library(heard);
      exited && WEXITSTATUS(status) == does_not_start && !library.empty()) {
    return "Gmsh does not start, for lack of " + library +
           (library.starts_with("libgmsh")
                ? ": in an environment of Python `pip install 'maxwell_dg[gmsh]'`, elsewhere install Gmsh's library"
                : ": install it; what Gmsh needs of Debian and Ubuntu is libgl1 libglu1-mesa libgomp1 libxcursor1 "
                  "libxft2 libxinerama1") +
           "; or convert the mesh where Gmsh is, by maxwell_dg --convert";
  }
  if (exited) {
    return "Gmsh ended before there was a mesh" + words +
           (request.is_script() ? ": does the script say `Exit;`? Remove that line" : and_remedy);
  }
  if (WTERMSIG(status) == SIGKILL) {
    return "the process that reads it was killed (SIGKILL), by the system where memory was short" + and_remedy;
  }
  return "Gmsh crashed while reading it (" + std::string(strsignal(WTERMSIG(status))) + words + ")" + and_remedy;
}

}  // namespace

Mesh read_by_gmsh(const GmshRequest& request, std::chrono::seconds longest_silence) {
  const std::string file = request.file.string();
  Pipe said(open_pipe(file)), answer(open_pipe(file));
  Child child(request, said.to.number(), answer.to.number());
  said.to.close();
  answer.to.close();
  const Heard heard = listen(said.from, answer.from, request, longest_silence);
  if (heard.was_silent || heard.said_too_much) child.kill();
  const int status = child.wait();
  Answer read;
  try {
    read = read_answer(heard.answer);
  } catch (const std::exception& error) {
    throw MeshError(file + ": what Gmsh made of it has " + error.what() + ": " + remedy(request));
  }
  if (!read.error.empty()) throw MeshError(file + ": " + read.error);
  if (!read.is_complete) throw MeshError(file + ": " + failure(request, status, heard, longest_silence));
  return std::move(read.mesh);
}

}  // namespace maxwell_dg::dg
