#include "core/own_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace maxwell_dg {
namespace {

bool is_own(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
}

}  // namespace

bool is_own_file(const std::filesystem::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && is_own(status);
}

std::optional<std::string> read_own_file(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat status {};
  std::string content;
  std::size_t at = 0;
  bool is_read = ::fstat(file, &status) == 0 && is_own(status);
  if (is_read) content.resize(static_cast<std::size_t>(status.st_size));
  while (is_read && at < content.size()) {
    const ssize_t got = ::read(file, content.data() + at, content.size() - at);
    if (got == 0) content.resize(at);  // it has become shorter
    if (got > 0) at += static_cast<std::size_t>(got);
    is_read = got >= 0 || errno == EINTR;
  }
  ::close(file);
  return is_read ? std::optional(std::move(content)) : std::nullopt;
}

void make_way_for_own_file(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || (is_own(status) && status.st_nlink == 1)) return;
  std::error_code stays;
  std::filesystem::remove_all(path, stays);  // which follows no links
}

}  // namespace maxwell_dg
