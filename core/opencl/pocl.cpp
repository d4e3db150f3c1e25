#include "core/opencl/pocl.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include <stdlib.h>
#include <unistd.h>

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

constexpr const char* kSpecialize = "POCL_BINARY_SPECIALIZE_WG";

}  // namespace

PrivatePoclCache::PrivatePoclCache() {
  // The variable is made here, empty, before PoCL has threads: changing a value moves no other entry of the
  // environment under a thread that is reading it, as adding one may.
  setenv(kSpecialize, "", 0);
  if (getenv("POCL_CACHE_DIR") != nullptr) return;
  static const TemporaryDirectory directory;
  set_ = setenv("POCL_CACHE_DIR", directory.path().c_str(), 1) == 0;
}

PrivatePoclCache::~PrivatePoclCache() {
  if (set_) unsetenv("POCL_CACHE_DIR");
}

PoclSpecialization::PoclSpecialization(const GroupSizes& sizes) {
  if (sizes.empty()) return;
  static std::mutex mutex;
  lock_ = std::unique_lock(mutex);
  const char* users = getenv(kSpecialize);
  if (users != nullptr && *users != '\0') return;
  std::string list;
  for (const auto& [x, y, z] : sizes) {
    list += (list.empty() ? "" : ",") + std::to_string(x) + "-" + std::to_string(y) + "-" + std::to_string(z) +
            "-goffs0-smallgrid";
  }
  set_ = setenv(kSpecialize, list.c_str(), 1) == 0;
}

PoclSpecialization::~PoclSpecialization() {
  if (set_) setenv(kSpecialize, "", 1);
}

}  // namespace maxwell_dg::core::opencl
