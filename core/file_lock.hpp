#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace maxwell_dg {

/// An advisory lock between processes, and between threads of one, on a file of its own. The system drops it when its
/// owner dies. The file stays: removing it under somebody who waits for it would make two owners.
class FileLock {
 public:
  /// Waits up to `timeout_seconds` for the lock. Nothing comes back when the time is over or where locking is
  /// impossible (no such directory, not writable, a file system without locks).
  [[nodiscard]] static std::optional<FileLock> acquire(const std::filesystem::path& file, double timeout_seconds);

  ~FileLock();
  FileLock(FileLock&& from) noexcept : descriptor_(std::exchange(from.descriptor_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace maxwell_dg
