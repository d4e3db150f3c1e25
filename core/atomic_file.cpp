#include "core/atomic_file.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <random>
#include <streambuf>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"

namespace maxwell_dg {

namespace {

namespace fs = std::filesystem;

// Unlike std::filebuf this remembers why the first write failed.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) { setp(buffer_.data(), end()); }
  [[nodiscard]] int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }
  int sync() override {
    const char* from = pbase();
    while (error_ == 0 && from < pptr()) {
      const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
      if (written >= 0) {
        from += written;
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    setp(buffer_.data(), end());
    return error_ == 0 ? 0 : -1;
  }

 private:
  char* end() { return buffer_.data() + buffer_.size(); }

  int descriptor_;
  int error_ = 0;
  std::array<char, 1 << 16> buffer_{};
};

[[noreturn]] void fail(const fs::path& target, const char* what, int error) {
  throw OutputError(target.string() + ": " + what + ": " + std::generic_category().message(error));
}

constexpr std::string_view temporary_mark = ".tmp-";
constexpr std::size_t temporary_prefix = temporary_mark.size() + 16 + 1;  // the mark, 16 digits, a dash

// Keeps the extension, which some libraries choose a format by; unique across processes and hosts.
fs::path temporary_name(const fs::path& target) {
  std::random_device random;
  std::array<char, 32> unique{};
  std::snprintf(unique.data(), unique.size(), ".tmp-%08x%08x-", random(), random());
  return target.parent_path() / (unique.data() + target.filename().string());
}

/// Where a symbolic link leads to, also where nothing is there yet.
fs::path followed(fs::path path) {
  constexpr int most_links = 40;  // as the system
  std::error_code error;
  for (int i = 0; i < most_links && fs::is_symlink(path, error); ++i)
    path = path.parent_path() / fs::read_symlink(path);
  return path;
}

/// Makes the file, with a lock that says as long as it is open: somebody is writing it. -1 with the reason in errno,
/// which is EAGAIN where somebody took the new file for abandoned and removed it before the lock was there.
int create_locked(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
  if (descriptor < 0) return -1;
  const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;  // or there are no locks
  struct stat status {};
  const bool removed = ::fstat(descriptor, &status) == 0 && status.st_nlink == 0;
  if (!taken && !removed) return descriptor;
  ::close(descriptor);
  errno = EAGAIN;
  return -1;
}

/// Unless somebody is writing it.
void remove_if_abandoned(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(descriptor);
}

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

void sync_path(const fs::path& path, int flags, const fs::path& target) {
  const int descriptor = ::open(path.c_str(), flags | O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(target, "cannot sync", errno);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  // EINVAL: pipes and some network file systems have nothing to sync.
  if (error != 0 && error != EINVAL) fail(target, "cannot sync", error);
}

}  // namespace

struct AtomicFile::State {
  fs::path target;
  fs::path temporary;
  bool direct = false;
  int descriptor = -1;
  std::unique_ptr<DescriptorBuffer> buffer;
  std::unique_ptr<std::ostream> stream;

  ~State() {
    if (descriptor >= 0) ::close(descriptor);
    if (!direct && !temporary.empty()) ::unlink(temporary.c_str());
  }
};

AtomicFile::AtomicFile(const fs::path& target) : state_(std::make_unique<State>()) {
  state_->target = followed(target);
  struct stat status {};
  state_->direct = ::stat(state_->target.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (state_->direct && S_ISDIR(status.st_mode)) fail(state_->target, "cannot write", EISDIR);
  fs::path path = state_->target;
  if (state_->direct) {
    state_->descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    do {
      path = temporary_name(state_->target);
      state_->descriptor = create_locked(path);
    } while (state_->descriptor < 0 && errno == EAGAIN);
  }
  if (state_->descriptor < 0) fail(state_->target, "cannot write", errno);
  state_->temporary = path;
  state_->buffer = std::make_unique<DescriptorBuffer>(state_->descriptor);
  state_->stream = std::make_unique<std::ostream>(state_->buffer.get());
}

AtomicFile::~AtomicFile() = default;
AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile& AtomicFile::operator=(AtomicFile&&) noexcept = default;

std::ostream& AtomicFile::stream() {
  return *state_->stream;
}
const fs::path& AtomicFile::temporary_path() const {
  return state_->temporary;
}

void AtomicFile::commit() {
  State& s = *state_;
  s.stream->flush();
  if (s.buffer->error() != 0) fail(s.target, "cannot write", s.buffer->error());
  if (s.stream->fail()) throw OutputError(s.target.string() + ": cannot write: the stream had failed before");
  const Descriptor lock{::fcntl(s.descriptor, F_DUPFD_CLOEXEC, 0)};  // lasts until the file has its name
  const int closed = ::close(std::exchange(s.descriptor, -1));
  if (closed != 0) fail(s.target, "cannot write", errno);  // NFS reports a full disk here
  if (s.direct) return;
  // By name, because a library may have replaced the file that was opened above.
  sync_path(s.temporary, 0, s.target);
  if (::rename(s.temporary.c_str(), s.target.c_str()) != 0) fail(s.target, "cannot rename into place", errno);
  s.temporary.clear();
  const fs::path directory = s.target.parent_path();
  sync_path(directory.empty() ? fs::path(".") : directory, O_DIRECTORY, s.target);
}

void remove_abandoned_files(const fs::path& directory, std::string_view target) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > temporary_prefix && name.starts_with(temporary_mark) &&
        std::string_view(name).substr(temporary_prefix).starts_with(target)) {
      remove_if_abandoned(entry.path());
    }
  }
}

void write_file_atomically(const fs::path& target, std::span<const std::byte> content) {
  AtomicFile file(target);
  file.stream().write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  file.commit();
}

void write_file_atomically(const fs::path& target, std::string_view content) {
  write_file_atomically(target, std::as_bytes(std::span(content)));
}

}  // namespace maxwell_dg
