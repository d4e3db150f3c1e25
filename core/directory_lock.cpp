#include "core/directory_lock.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg {
namespace {

std::string on_this_host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(" on ") + name.data() : std::string();
}

/// ", PID 123," or ", PID 123 on that host,"; nothing where the owner has not written yet who he is.
std::string owner_in(int descriptor) {
  std::array<char, 512> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  std::string owner(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  owner.resize(std::string_view(owner).substr(0, owner.find('\n')).size());
  if (!owner.starts_with("PID ")) return "";
  const std::string here = on_this_host();
  if (!here.empty() && owner.ends_with(here)) owner.resize(owner.size() - here.size());
  return ", " + owner + ",";
}

/// An owner that ends removes his file: whoever opened it before has locked a file that nobody else will see.
bool is_still_there(int descriptor, const std::filesystem::path& file) {
  struct stat ours {
  }, there{};
  return ::fstat(descriptor, &ours) == 0 && ::lstat(file.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
         ours.st_ino == there.st_ino;
}

/// 0, or the system's reason.
int lock(int descriptor, std::chrono::steady_clock::time_point until) {
  constexpr std::chrono::milliseconds pause{20};
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const bool may_change = errno == EINTR || errno == EWOULDBLOCK;
    if (!may_change || (errno == EWOULDBLOCK && std::chrono::steady_clock::now() >= until)) return errno;
    if (errno == EWOULDBLOCK) std::this_thread::sleep_for(pause);
  }
  return 0;
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory, std::chrono::milliseconds patience)
    : file_(directory / ".lock") {
  const auto until = std::chrono::steady_clock::now() + patience;
  const auto fail = [&](const std::string& why) {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    throw OutputError(directory.string() + ": " + why);
  };
  const auto reason = [&](int error) { return file_.string() + ": " + std::generic_category().message(error); };
  int refused = 0;
  do {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) fail("cannot be the output directory: " + reason(errno));
    refused = lock(descriptor_, until);
  } while (refused == 0 && !is_still_there(descriptor_, file_));
  if (refused == EWOULDBLOCK) {
    fail("another run" + owner_in(descriptor_) + " writes to this directory; wait for it, or choose another one");
  }
  if (refused != 0) {
    log_warning(directory.string() +
                ": nobody would notice another run that writes to this directory, which cannot be "
                "locked: " +
                reason(refused));
  }
  const std::string owner = "PID " + std::to_string(::getpid()) + on_this_host() + "\n";
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::pwrite(descriptor_, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size())) {
    fail("cannot be the output directory: " + reason(errno));
  }
}

DirectoryLock::~DirectoryLock() {
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

}  // namespace maxwell_dg
