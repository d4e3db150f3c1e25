#pragma once

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <sys/mount.h>
#include <unistd.h>

namespace maxwell_dg {

/// What lies at a path and can be neither read nor replaced, while it lives: a file of this user without rights. Rights
/// do not stop root, for whom it is a folder on which a file system is mounted.
class Obstacle {
 public:
  explicit Obstacle(std::filesystem::path path) : path_(std::move(path)) {
    std::filesystem::remove(path_);
    if (::geteuid() != 0) {
      std::ofstream{path_};
      std::filesystem::permissions(path_, std::filesystem::perms::none);
      stands_ = true;
      return;
    }
    std::filesystem::create_directory(path_);
    stands_ = is_mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=64k") == 0;
  }
  ~Obstacle() {
    if (is_mounted_) ::umount(path_.c_str());
    std::error_code stays;
    std::filesystem::remove(path_, stays);
  }
  Obstacle(const Obstacle&) = delete;
  Obstacle& operator=(const Obstacle&) = delete;

  /// False for a root who may not mount (in some containers).
  [[nodiscard]] bool stands() const { return stands_; }

 private:
  std::filesystem::path path_;
  bool stands_{}, is_mounted_{};
};

}  // namespace maxwell_dg
