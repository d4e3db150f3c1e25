#include "core/file_lock.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace maxwell_dg {

std::optional<FileLock> FileLock::acquire(const std::filesystem::path& file, double timeout_seconds) {
  using Clock = std::chrono::steady_clock;
  FileLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (lock.descriptor_ < 0) return std::nullopt;
  const auto begin = Clock::now();
  auto pause = std::chrono::milliseconds(1);
  while (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const std::chrono::duration<double> waited = Clock::now() - begin;
    if ((errno != EWOULDBLOCK && errno != EINTR) || waited.count() > timeout_seconds) return std::nullopt;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(20));
  }
  return lock;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace maxwell_dg
