#include "rtcg/compile/cache.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/file_lock.hpp"
#include "core/log.hpp"
#include "core/own_file.hpp"

namespace maxwell_dg::rtcg {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view cache_magic = "maxwell_dg kernel, format 1\n";
constexpr std::string_view description_label = "made for ";
constexpr std::string_view entry_extension = ".kernel";
constexpr std::string_view lock_extension = ".lock";
constexpr std::string_view temporary_prefix = ".tmp-";  // as AtomicFile names them
constexpr mode_t others = S_IRWXG | S_IRWXO;

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(Descriptor&& from) noexcept : value_(std::exchange(from.value_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] explicit operator bool() const { return value_ >= 0; }

 private:
  int value_;
};

std::string reason(int error) {
  return std::generic_category().message(error);
}

// A text head that people can read, then the content:
//   cache_magic, "key K\n", "made for DESCRIPTION\n", "bytes N\n", "sha256 OF ALL OTHER LINES AND THE CONTENT\n", "\n"
std::string entry_head(const std::string& key, const std::string& description, std::span<const std::byte> content) {
  std::string head(cache_magic);
  head += "key " + key + "\n" + std::string(description_label) + description + "\nbytes " +
          std::to_string(content.size()) + "\n";
  Sha256 digest;
  digest.add_field(head);
  digest.add_field(content);
  return head + "sha256 " + digest.hex() + "\n\n";
}

std::optional<std::vector<std::byte>> read_all(int descriptor, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::size_t at = 0;
  while (at < size) {
    const ssize_t got = ::read(descriptor, bytes.data() + at, size - at);
    if (got == 0 || (got < 0 && errno != EINTR)) return std::nullopt;
    if (got > 0) at += static_cast<std::size_t>(got);
  }
  return bytes;
}

// The content, if every byte of the entry is as it was written for this key.
std::optional<std::vector<std::byte>> content_of(std::span<const std::byte> entry, const std::string& key) {
  const std::string_view text(reinterpret_cast<const char*>(entry.data()), entry.size());
  const std::size_t head_end = text.find("\n\n");
  if (head_end == std::string_view::npos) return std::nullopt;
  const auto content = entry.subspan(head_end + 2);
  const std::string_view head = text.substr(0, head_end + 2);
  const std::size_t begin = head.find("\n" + std::string(description_label));
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t description = begin + 1 + description_label.size();
  const std::size_t length = head.find('\n', description) - description;
  if (head != entry_head(key, std::string(head.substr(description, length)), content)) return std::nullopt;
  return std::vector<std::byte>(content.begin(), content.end());
}

bool is_temporary(const fs::path& path) {
  return path.filename().string().starts_with(temporary_prefix);
}
// Younger ones may belong to a writer at work.
bool is_abandoned(const fs::path& path, fs::file_time_type written) {
  return is_temporary(path) && written < fs::file_time_type::clock::now() - std::chrono::hours(1);
}
bool is_entry(const fs::path& path) {
  return path.extension() == entry_extension && !is_temporary(path);
}

}  // namespace

struct KernelCache::State {
  fs::path directory;
  Options options;
  std::atomic<bool> readable{true};
  std::atomic<bool> writable{true};
  std::atomic<bool> complained{false};
  std::atomic<std::size_t> hits{0};
  std::atomic<std::size_t> misses{0};
  std::atomic<std::size_t> stored{0};
  std::atomic<std::size_t> evicted{0};

  void complain(const std::string& what, const std::string& consequence) {
    if (!complained.exchange(true))
      log_warning("kernel cache " + directory.string() + ": " + what + "; " + consequence);
  }
  void give_up_writing(const std::string& what) {
    writable = false;
    complain(what, "kernels compiled now are not kept");
  }
  void give_up(const std::string& what) {
    readable = writable = false;
    complain(what, "kernels are compiled anew; set MAXWELL_DG_CACHE to a directory of your own");
  }

  [[nodiscard]] fs::path entry(const std::string& key) const {
    return directory / (key + std::string(entry_extension));
  }
  void check_directory();
  bool create_directory();
  std::optional<FileLock> lock(const std::string& key) const;
  std::vector<Entry> entries() const;
  Size prune(const PruneOptions& limits) const;
};

// Code that another user can put here would run as us, so the directory must be ours and closed to others.
void KernelCache::State::check_directory() {
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0) {
    if (errno != ENOENT) give_up(reason(errno));
    return;
  }
  if (!S_ISDIR(status.st_mode)) return give_up("is not a directory");
  if (status.st_uid != ::geteuid()) return give_up("belongs to another user");
  if ((status.st_mode & others) == 0 || ::chmod(directory.c_str(), S_IRWXU) == 0) return;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) give_up("others may write to it, and that cannot be changed");
}

bool KernelCache::State::create_directory() {
  std::error_code error;
  fs::create_directories(directory.parent_path(), error);
  if (::mkdir(directory.c_str(), S_IRWXU) == 0 || errno == EEXIST) {
    check_directory();
    return writable;
  }
  give_up_writing("cannot be created: " + reason(errno));
  return false;
}

// 256 lock files stand for all keys: none needs to be removed, and so none can be removed under its owner.
// Where there is no lock to be had, compiling twice is only a waste.
std::optional<FileLock> KernelCache::State::lock(const std::string& key) const {
  const fs::path file = directory / (key.substr(0, 2) + std::string(lock_extension));
  make_way_for_own_file(file);
  return FileLock::acquire(file, options.lock_timeout_seconds);
}

// Entries, longest unused first; what killed writers left is removed on the way. Costs a stat per entry.
std::vector<KernelCache::Entry> KernelCache::State::entries() const {
  std::vector<Entry> found;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    const fs::file_time_type used = at->last_write_time(gone);
    if (gone) continue;
    if (is_abandoned(at->path(), used)) fs::remove(at->path(), gone);
    if (!is_entry(at->path()) || !is_own_file(at->path())) continue;
    Entry entry{.key = at->path().stem().string(), .bytes = at->file_size(gone), .last_used = used};
    if (!gone) found.push_back(std::move(entry));
  }
  std::ranges::sort(found, {}, &Entry::last_used);
  return found;
}

// Others may remove at the same time: what is gone is gone.
KernelCache::Size KernelCache::State::prune(const PruneOptions& limits) const {
  const std::vector<Entry> all = entries();
  std::uintmax_t total = 0;
  for (const Entry& each : all) total += each.bytes;
  const auto now = fs::file_time_type::clock::now();
  Size removed;
  for (const Entry& each : all) {
    const std::chrono::duration<double> unused = now - each.last_used;
    if (total <= limits.capacity_bytes && unused.count() <= limits.unused_seconds) break;
    std::error_code gone;
    fs::remove(entry(each.key), gone);
    total -= each.bytes;
    ++removed.entries;
    removed.bytes += each.bytes;
  }
  return removed;
}

KernelCache::KernelCache(fs::path directory, Options options) : state_(std::make_shared<State>()) {
  state_->directory = std::move(directory);
  state_->options = options;
  state_->check_directory();
}

KernelCache::KernelCache(fs::path directory) : KernelCache(std::move(directory), Options{}) {}

const fs::path& KernelCache::directory() const {
  return state_->directory;
}

std::optional<std::vector<std::byte>> KernelCache::find(const std::string& key) {
  if (!state_->readable) return std::nullopt;
  const Descriptor file(::open(state_->entry(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) return std::nullopt;
  const auto entry = read_all(file.get(), static_cast<std::size_t>(status.st_size));
  if (!entry) return std::nullopt;
  auto content = content_of(*entry, key);
  // Marks the time of last use, which eviction goes by; on a read-only disk there is no eviction either.
  if (content) ::futimens(file.get(), nullptr);
  return content;
}

void KernelCache::store(const std::string& key, const std::string& description, std::span<const std::byte> bytes) {
  if (!state_->writable || !state_->create_directory()) return;
  std::string one_line = description;
  std::replace(one_line.begin(), one_line.end(), '\n', ' ');
  try {
    make_way_for_own_file(state_->entry(key));
    AtomicFile file(state_->entry(key));
    file.stream() << entry_head(key, one_line, bytes);
    file.stream().write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.commit();
  } catch (const OutputError& error) {
    state_->give_up_writing(error.what());
    return;
  }
  ++state_->stored;
  state_->evicted += state_->prune({.capacity_bytes = state_->options.capacity_bytes}).entries;
}

void KernelCache::remove(const std::string& key) {
  std::error_code gone;
  fs::remove(state_->entry(key), gone);
}

KernelCache::Outcome KernelCache::get(const std::string& key, const std::string& description,
                                      const std::function<std::vector<std::byte>()>& make) {
  const auto count = [](std::atomic<std::size_t>& counter, Outcome outcome) {
    ++counter;
    return outcome;
  };
  if (auto bytes = find(key)) return count(state_->hits, {std::move(*bytes), true});
  if (!state_->writable || !state_->create_directory()) return count(state_->misses, {make(), false});
  const auto lock = state_->lock(key);
  if (auto bytes = find(key)) return count(state_->hits, {std::move(*bytes), true});
  Outcome made{make(), false};
  store(key, description, made.bytes);
  return count(state_->misses, std::move(made));
}

KernelCache::Size KernelCache::size() const {
  Size size;
  for (const Entry& entry : state_->entries()) {
    ++size.entries;
    size.bytes += entry.bytes;
  }
  return size;
}

std::vector<KernelCache::Entry> KernelCache::entries() const {
  std::vector<Entry> all = state_->entries();
  for (Entry& entry : all) {
    std::ifstream file(state_->entry(entry.key));
    for (std::string line; std::getline(file, line) && !line.empty();) {
      if (line.starts_with(description_label)) entry.description = line.substr(description_label.size());
    }
  }
  return all;
}

KernelCache::Size KernelCache::prune(const PruneOptions& limits) {
  const Size removed = state_->prune(limits);
  state_->evicted += removed.entries;
  return removed;
}

KernelCache::Statistics KernelCache::statistics() const {
  return {.hits = state_->hits, .misses = state_->misses, .stored = state_->stored, .evicted = state_->evicted};
}

void KernelCache::clear() {
  std::error_code error;
  std::vector<fs::path> ours;
  for (fs::directory_iterator at(state_->directory, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    std::error_code gone;
    const bool abandoned = is_abandoned(path, at->last_write_time(gone));
    if (is_entry(path) || abandoned || path.extension() == lock_extension) ours.push_back(path);
  }
  if (error == std::errc::no_such_file_or_directory) return;
  for (const fs::path& path : ours) {
    if (!error) fs::remove_all(path, error);  // whatever lies there under an entry's name; no link is followed
  }
  if (error) throw OutputError(state_->directory.string() + ": cannot clear the kernel cache: " + error.message());
}

fs::path default_cache_directory() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  if (fs::path own = variable("MAXWELL_DG_CACHE"); !own.empty()) return own;
  // The XDG specification: a relative path is invalid and to be ignored.
  if (const fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) return xdg / "maxwell_dg";
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "maxwell_dg";
  const passwd* user = ::getpwuid(::geteuid());
  const fs::path home = user != nullptr ? user->pw_dir : "/";
  return home / ".cache" / "maxwell_dg";
}

}  // namespace maxwell_dg::rtcg
