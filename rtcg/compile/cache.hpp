#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace maxwell_dg::rtcg {

/// A directory of compiled code that many processes share: key in, bytes out, right by construction.
///
/// One self-describing file per entry (head in text, checksum, content), written to a temporary name, synced and
/// renamed; readers take no lock. Whatever is wrong with an entry makes it a miss, never an error. Who compiles holds
/// an advisory lock that the system drops when its owner dies. The directory is ours alone (mode 0700, owner checked);
/// entries of other owners are misses. Over the size cap the entries used longest ago go first. A directory that cannot
/// be used, or not be written, is one warning; what can still be read is. Thread-safe.
class KernelCache {
 public:
  struct Options {
    std::uintmax_t capacity_bytes = std::uintmax_t{1} << 30;
    /// How long to wait for another process that compiles the same before compiling it here too.
    double lock_timeout_seconds = 120;
  };
  struct Outcome {
    std::vector<std::byte> bytes;
    bool hit = false;
  };
  struct Size {
    std::size_t entries{};
    std::uintmax_t bytes{};
  };
  struct Entry {
    std::string key;
    std::uintmax_t bytes{};
    std::filesystem::file_time_type last_used;
    std::string description{};
  };
  /// What this process did with the directory.
  struct Statistics {
    std::size_t hits{};
    std::size_t misses{};
    std::size_t stored{};
    std::size_t evicted{};
  };
  struct PruneOptions {
    std::uintmax_t capacity_bytes = std::numeric_limits<std::uintmax_t>::max();  ///< what may stay in all
    double unused_seconds = std::numeric_limits<double>::infinity();             ///< how long one may lie unused
  };

  /// The directory is created with the first entry.
  KernelCache(std::filesystem::path directory, Options options);
  explicit KernelCache(std::filesystem::path directory);

  /// The bytes kept under `key` (64 hexadecimal digits), or what `make` returns, which is then kept. While one thread
  /// or process makes, others that want the same wait for it. An exception of `make` passes; nothing is kept.
  /// `description` goes into the entry's head for people: one line.
  [[nodiscard]] Outcome get(const std::string& key, const std::string& description,
                            const std::function<std::vector<std::byte>()>& make);
  [[nodiscard]] std::optional<std::vector<std::byte>> find(const std::string& key);
  void store(const std::string& key, const std::string& description, std::span<const std::byte> bytes);
  void remove(const std::string& key);

  [[nodiscard]] Size size() const;
  /// Longest unused first.
  [[nodiscard]] std::vector<Entry> entries() const;
  [[nodiscard]] Statistics statistics() const;
  /// Removes what is beyond the limits, longest unused first, and returns how much that was. Every `store` does so for
  /// the cache's own capacity.
  Size prune(const PruneOptions& limits);
  /// Removes every entry, what killed writers left more than an hour ago, and the locks. Throws OutputError when that
  /// is not possible.
  void clear();
  [[nodiscard]] const std::filesystem::path& directory() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// `$MAXWELL_DG_CACHE`, else `$XDG_CACHE_HOME/maxwell_dg`, else `~/.cache/maxwell_dg`; compiled code is in `kernels/`.
[[nodiscard]] std::filesystem::path default_cache_directory();

}  // namespace maxwell_dg::rtcg
