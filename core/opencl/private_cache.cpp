#include "core/opencl/private_cache.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace maxwell_dg::core::opencl {
namespace {

/// A directory of this process, removed at its end; not by a forked child that ends earlier.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : owner_(getpid()) {
    std::error_code none;
    std::filesystem::path root = std::filesystem::temp_directory_path(none);
    if (none) root = "/tmp";
    std::string pattern = (root / "maxwell_dg_pocl_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw DeviceError("cannot make a directory '" + pattern + "' for PoCL's kernels: " + std::strerror(errno) +
                        "; set TMPDIR to a writable directory, or POCL_CACHE_DIR to one that no other process uses");
    }
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code leftover;  // at exit there is nobody to tell, and the directory is a temporary one
    if (getpid() == owner_) std::filesystem::remove_all(path_, leftover);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  pid_t owner_;
  std::filesystem::path path_;
};

}  // namespace

PrivatePoclCache::PrivatePoclCache() {
  if (getenv("POCL_CACHE_DIR") != nullptr) return;
  static const TemporaryDirectory directory;
  set_ = setenv("POCL_CACHE_DIR", directory.path().c_str(), 1) == 0;
}

PrivatePoclCache::~PrivatePoclCache() {
  if (set_) unsetenv("POCL_CACHE_DIR");
}

}  // namespace maxwell_dg::core::opencl
