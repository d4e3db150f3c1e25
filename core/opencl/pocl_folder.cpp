#include "core/opencl/pocl_folder.hpp"

#include <cerrno>
#include <cstdint>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/error.hpp"

namespace maxwell_dg::core::opencl {
namespace {

constexpr std::uintmax_t least_room = 4 << 20;         // for the kernels of a small run
constexpr std::uintmax_t least_file_size = 128 << 10;  // of one kernel's library

std::string message_of(int error) {
  return std::generic_category().message(error);
}

/// Writes a page there and maps it as code is mapped; what fails and why.
std::optional<std::string> why_no_code(const std::filesystem::path& folder) {
  std::string name = (folder / "probe_XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) return "cannot be written: " + message_of(errno);
  unlink(name.c_str());
  std::optional<std::string> problem;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (const int error = posix_fallocate(file, 0, static_cast<off_t>(page)); error != 0) {
    problem = "cannot be written: " + message_of(error);
  } else if (void* const code = mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0); code == MAP_FAILED) {
    problem = errno == EPERM ? "is on a file system from which nothing may be executed (mounted noexec)"
                             : "does not let code be executed: " + message_of(errno);
  } else {
    munmap(code, page);
  }
  close(file);
  return problem;
}

std::optional<std::string> why_no_room(const std::filesystem::path& folder) {
  struct statvfs status {};
  if (statvfs(folder.c_str(), &status) != 0) return "cannot be looked at: " + message_of(errno);
  const std::uintmax_t free = static_cast<std::uintmax_t>(status.f_bavail) * status.f_frsize;
  if (free >= least_room) return std::nullopt;
  return "has " + std::to_string(free >> 10) + " KiB free, and kernels take " + std::to_string(least_room >> 20) +
         " MiB and more";
}

}  // namespace

void require_usable_for_pocl(const std::filesystem::path& folder, const std::string& named_by,
                             const std::string& remedy) {
  const std::string what =
      "PoCL, the OpenCL driver for the CPU, keeps its kernels in " + folder.string() + " (" + named_by + "), which ";
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < least_file_size) {
    throw OutputError(
        "this process may write files of at most " + std::to_string(limit.rlim_cur >> 10) +
        " KiB (ulimit -f), and PoCL, the OpenCL driver for the CPU, writes larger ones; raise that limit");
  }
  std::optional<std::string> problem = why_no_room(folder);
  if (!problem) problem = why_no_code(folder);
  if (problem) throw DeviceError(what + *problem + "; " + remedy);
}

}  // namespace maxwell_dg::core::opencl
