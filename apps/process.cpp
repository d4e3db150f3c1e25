#include "apps/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/error.hpp"

namespace maxwell_dg {
namespace {

/// Opened the wrong way round, the first two fail as closed descriptors do: who was asked for text must say that it
/// went nowhere.
constexpr std::array<int, 3> modes{O_WRONLY, O_RDONLY, O_WRONLY};

bool is_open(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF;
}

}  // namespace

void prepare_process() {
  for (int descriptor = 0; descriptor < static_cast<int>(modes.size()); ++descriptor) {
    if (is_open(descriptor)) continue;
    // The lowest one that is free: this one, since all below it are open.
    if (::open("/dev/null", modes.at(static_cast<std::size_t>(descriptor))) == descriptor) continue;
    throw OutputError("/dev/null: cannot take the place of the closed descriptor " + std::to_string(descriptor) + ": " +
                      std::generic_category().message(errno));
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void flush_standard_output() {
  errno = 0;
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (arrived) return;
  const std::string reason = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  throw OutputError("cannot write to standard output" + reason);
}

}  // namespace maxwell_dg
