#include "core/opencl/pocl.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/file_lock.hpp"
#include "core/opencl/drivers.hpp"
#include "core/opencl/empty_library.hpp"
#include "core/opencl/pocl_failure.hpp"
#include "core/opencl/pocl_folder.hpp"
#include "core/opencl/quick_linker.hpp"
#include "core/own_file.hpp"

namespace maxwell_dg::core::opencl {
namespace {

constexpr const char* kDirectory = "maxwell_dg_pocl_";
constexpr const char* kOwner = "owner";  // a file in such a directory, locked as long as its process lives

/// Removes what killed processes left. A directory without the file is just being made; one that cannot be read is
/// somebody else's.
void remove_abandoned_directories(const std::filesystem::path& root) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(root, ignored)) {
    const std::filesystem::path owner = entry.path() / kOwner;
    if (!entry.path().filename().string().starts_with(kDirectory) || !entry.is_directory(ignored) ||
        entry.is_symlink(ignored) || !is_own_file(owner)) {
      continue;
    }
    if (const auto lock = FileLock::acquire(owner, 0)) std::filesystem::remove_all(entry.path(), ignored);
  }
}

/// A directory of this process, removed at its end; not by a forked child that ends earlier. Where a process is killed,
/// the next one removes it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : owner_(getpid()), path_(make()), lock_(FileLock::acquire(path_ / "new", 0)) {
    std::error_code stays;  // when this process is killed
    if (lock_) std::filesystem::rename(path_ / "new", path_ / kOwner, stays);
  }
  ~TemporaryDirectory() {
    std::error_code leftover;  // at exit there is nobody to tell, and the directory is a temporary one
    if (getpid() == owner_) std::filesystem::remove_all(path_, leftover);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static std::filesystem::path make() {
    std::error_code none;
    std::filesystem::path root = std::filesystem::temp_directory_path(none);
    if (none) root = "/tmp";
    remove_abandoned_directories(root);
    std::string pattern = (root / (std::string(kDirectory) + "XXXXXX")).string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw DeviceError("cannot make a directory '" + pattern + "' for PoCL's kernels: " + std::strerror(errno) +
                        "; set TMPDIR to a writable directory, or POCL_CACHE_DIR to one that no other process uses");
    }
    return pattern;
  }

  pid_t owner_;
  std::filesystem::path path_;
  std::optional<FileLock> lock_;  // taken before the file has its name: nobody finds one that is not locked
};

constexpr const char* kSpecialize = "POCL_BINARY_SPECIALIZE_WG";

/// Where PoCL keeps the kernels of this process; empty while there is no such directory, or it is the user's.
std::filesystem::path& private_directory() {
  static std::filesystem::path path;
  return path;
}

/// PoCL's directories of programs, ROOT/XX/REST of a digest.
std::set<std::filesystem::path> programs_in(const std::filesystem::path& root) {
  std::set<std::filesystem::path> programs;
  std::error_code none;  // another thread's temporary file may vanish meanwhile
  for (const auto& letters : std::filesystem::directory_iterator(root, none)) {
    if (!letters.is_directory(none)) continue;
    for (const auto& program : std::filesystem::directory_iterator(letters.path(), none)) {
      if (program.is_directory(none)) programs.insert(program.path());
    }
  }
  return programs;
}

/// Puts an empty library where PoCL looks for a kernel's code for groups of this kind. Failing leaves things as they
/// are.
void leave_out(const std::filesystem::path& program, const std::string& kernel, const std::string& kind) {
  const std::vector<std::byte> library = empty_library("_pocl_kernel_" + kernel + "_workgroup");
  const std::filesystem::path directory = program / kernel / kind;
  std::error_code failed;
  if (library.empty() || !std::filesystem::create_directories(directory, failed)) return;
  std::ofstream file(directory / (kernel + ".so"), std::ios::binary);
  file.write(reinterpret_cast<const char*>(library.data()), static_cast<std::streamsize>(library.size()));
  file.close();
  if (!file) std::filesystem::remove_all(directory, failed);
}

/// What PoCL takes for the value of kSpecialize. It keeps for good what it reads the first time, so that is a text with
/// room for others to be written over it; empty where PoCL reads the variable each time, or is none that we know.
std::span<char> kept_value() {
  static const std::span<char> kept = [] {
    constexpr std::size_t room = 4096;
    void* library = dlopen("libpocl.so.2", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) return std::span<char>();
    using Read = const char* (*)(const char* key, const char* otherwise);
    const auto read = reinterpret_cast<Read>(dlsym(library, "pocl_get_string_option"));
    if (read == nullptr) return std::span<char>();
    setenv(kSpecialize, std::string(room, ',').c_str(), 1);  // a list of nothing
    // PoCL's own copy, on the heap.
    char* value = const_cast<char*>(read(kSpecialize, ""));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    const bool has_room = std::strlen(value) == room;
    setenv(kSpecialize, "", 1);
    return has_room && read(kSpecialize, "") == value && std::strlen(value) == room ? std::span(value, room)
                                                                                    : std::span<char>();
  }();
  return kept;
}

/// Has PoCL compile kernels for these kinds of groups into the binaries of programs.
bool specialize(const std::string& list) {
  const std::span<char> kept = kept_value();
  if (kept.empty()) return setenv(kSpecialize, list.c_str(), 1) == 0;
  if (list.size() > kept.size()) return false;
  std::memcpy(kept.data(), list.c_str(), list.size() + 1);
  return true;
}

/// Makes it, as PoCL would, and sees whether PoCL can use it. Throws DeviceError.
void prepare_users_directory(const std::filesystem::path& directory) {
  const std::string remedy = "name another folder in POCL_CACHE_DIR, or unset it";
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    throw DeviceError("PoCL, the OpenCL driver for the CPU, keeps its kernels in " + directory.string() +
                      " (POCL_CACHE_DIR), which cannot be made: " + error.message() + "; " + remedy);
  }
  require_usable_for_pocl(directory, "POCL_CACHE_DIR", remedy);
}

constexpr std::string_view kernel_word = "KERNEL", its_definition = "#define KERNEL __kernel",
                           of_given_size = "KERNEL void GROUP_LIMIT(";

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t times = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++times;
  return times;
}

// In a macro, since the text's own macros call it by this name.
constexpr const char* kOneCopy = R"(#if __clang_major__ == 15
void may_return_twice(void) __asm__("llvm.sideeffect") __attribute__((returns_twice));
static inline __attribute__((always_inline, returns_twice)) size_t group_id_in_one_copy(uint dimension) {
  if (get_local_size(0) == 0) may_return_twice();
  return get_group_id(dimension);
}
#define get_group_id group_id_in_one_copy
#endif
)";

}  // namespace

PrivatePoclCache::PrivatePoclCache() {
  // The variable is made here, empty, before PoCL has threads: changing a value moves no other entry of the
  // environment under a thread that is reading it, as adding one may.
  setenv(kSpecialize, "", 0);
  if (!has_pocl()) return;
  if (const char* users = getenv("POCL_CACHE_DIR"); users != nullptr && *users != '\0') {
    prepare_users_directory(users);
    report_pocl_failures(users);
    return;
  }
  static const TemporaryDirectory directory;
  require_usable_for_pocl(directory.path(), "TMPDIR", "set TMPDIR to another folder");
  report_pocl_failures(directory.path());
  set_ = setenv("POCL_CACHE_DIR", directory.path().c_str(), 1) == 0;
  if (!set_) return;
  private_directory() = directory.path();
  offer_quick_linker(directory.path());
}

PrivatePoclCache::~PrivatePoclCache() {
  if (set_) unsetenv("POCL_CACHE_DIR");
}

PoclBuild::PoclBuild(const std::string& driver) {
  if (!is_pocl(driver)) return;
  static std::mutex mutex;
  lock_ = std::unique_lock(mutex);
  // Before PoCL builds anything: it reads the variable then.
  if (const char* users = getenv(kSpecialize); users == nullptr || *users == '\0') static_cast<void>(kept_value());
  if (!private_directory().empty()) programs_before_ = programs_in(private_directory());
}

void PoclBuild::require(const RequiredSizes& sizes) {
  if (!lock_.owns_lock() || sizes.empty()) return;
  const char* users = getenv(kSpecialize);
  if (users != nullptr && *users != '\0') return;
  std::map<std::string, std::string> kinds;  // named as PoCL names their directories
  std::set<std::string> all;
  for (const auto& [kernel, size] : sizes) {
    const auto& [x, y, z] = size;
    kinds[kernel] = std::to_string(x) + "-" + std::to_string(y) + "-" + std::to_string(z) + "-goffs0-smallgrid";
    all.insert(kinds[kernel]);
  }
  std::string list;
  for (const std::string& kind : all) list += (list.empty() ? "" : ",") + kind;
  set_ = specialize(list);
  if (!set_ || private_directory().empty()) return;
  std::set<std::filesystem::path> programs = programs_in(private_directory());
  for (const auto& old : programs_before_) programs.erase(old);
  if (programs.size() != 1) return;  // none: it was built before; more: some are not ours
  all.insert("0-0-0");
  for (const auto& [kernel, own] : kinds) {
    for (const std::string& kind : all) {
      if (kind != own) leave_out(*programs.begin(), kernel, kind);
    }
  }
}

PoclBuild::~PoclBuild() {
  if (set_) specialize("");
}

std::string one_copy_of_kernels(std::string_view text) {
  const std::size_t definitions = count(text, its_definition), kernels = count(text, kernel_word) - definitions;
  const bool have_given_sizes = kernels > 0 && kernels == count(text, of_given_size);
  const bool are_all = count(text, "__kernel") == definitions;
  return have_given_sizes && are_all ? kOneCopy : "";
}

}  // namespace maxwell_dg::core::opencl
