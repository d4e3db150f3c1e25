#pragma once

#include <chrono>
#include <filesystem>

namespace maxwell_dg {

/// The right to write to a directory, which one process at a time has. It is a lock on the file `.lock` in there, which
/// names its owner and goes with it. The system drops the lock when its owner dies; what is then left of the file
/// stands in nobody's way.
class DirectoryLock {
 public:
  static constexpr std::chrono::milliseconds killed_process{2000};

  /// Throws OutputError where another process has the lock, and says which, and where the file cannot be made. On a
  /// file system that knows no locks that is a warning. Waits for the lock as long as a process that was killed may
  /// take to end.
  explicit DirectoryLock(const std::filesystem::path& directory, std::chrono::milliseconds patience = killed_process);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace maxwell_dg
