#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

/// What PoCL, the OpenCL driver for CPUs, is told through its environment variables, which other drivers ignore, and in
/// front of texts.
namespace maxwell_dg::core::opencl {

/// Whether a driver, as DeviceInfo has it, is PoCL.
[[nodiscard]] inline bool is_pocl(std::string_view driver) {
  return driver.starts_with("Portable Computing Language");
}

/// PoCL keeps compiled kernels in a directory that its processes share, and crashes when two of them write there
/// at once (pocl#430, pocl#1480). While this guard lives, POCL_CACHE_DIR names a fresh directory of this process,
/// which is removed when the process ends, or, if it is killed, when the next one begins. A value that the user set is
/// kept.
///
/// PoCL reads the variable once, when its devices are first listed; the guard unsets it afterwards, because a child
/// process that inherited it would share the directory.
class PrivatePoclCache {
 public:
  PrivatePoclCache();
  ~PrivatePoclCache();
  PrivatePoclCache(const PrivatePoclCache&) = delete;
  PrivatePoclCache& operator=(const PrivatePoclCache&) = delete;

 private:
  bool set_{};
};

/// The group size that a kernel requires by `reqd_work_group_size`, for those that do.
using RequiredSizes = std::map<std::string, std::array<std::size_t, 3>>;

/// Guards the building of one program, from before clBuildProgram until its binary is taken.
///
/// PoCL compiles a kernel again at its first launch, for the group size of that launch; for a program loaded from a
/// binary too. Kernels that require a size are therefore compiled for it into the binary, so that a launch of a loaded
/// program compiles nothing. It is the code for grids of less than 65536 work-items in a dimension, since PoCL puts
/// one kind into a binary: a larger grid is compiled for at its first launch in each process, which is little next to
/// what it runs. A value of POCL_BINARY_SPECIALIZE_WG that the user set is kept.
///
/// PoCL also puts code for groups of any size into every binary, and for the sizes that the program's other kernels
/// require: half of the time that it compiles and more, for code that a kernel which requires a size never runs. Where
/// the directory of PoCL's kernels is this process's own, PoCL finds an empty library in place of that code, and
/// compiles none.
class PoclBuild {
 public:
  /// Does nothing for other drivers than PoCL.
  explicit PoclBuild(const std::string& driver);
  ~PoclBuild();
  PoclBuild(const PoclBuild&) = delete;
  PoclBuild& operator=(const PoclBuild&) = delete;

  /// Call it when the program is built, before its binary is asked for.
  void require(const RequiredSizes& sizes);

 private:
  std::unique_lock<std::mutex> lock_;  // environment and directory are one for all threads; PoCL builds one at a time
  std::set<std::filesystem::path> programs_before_;
  bool set_{};
};

/// PoCL makes three functions of a kernel: the kernel, and two that call it with the arguments of a group, of which one
/// is never used. It has the kernel inlined in both, and optimizes and translates it three times, which is most of the
/// time that it takes. This text, put in front of another, keeps PoCL from inlining them; what the kernels compute, and
/// their machine code, stay the same. Empty unless all kernels of the text have groups of a given size
/// (`KERNEL void GROUP_LIMIT(...)` in the dialect of rtcg), and where there are none.
///
/// How: LLVM does not inline functions that call what may return twice, as setjmp does. So a kernel that asks for the
/// number of its group calls such a function, if its groups have no work-items: a branch that vanishes as soon as PoCL
/// has put in the size of groups, which is after inlining, and before all else. The function is an intrinsic without
/// code. With compilers other than clang 15, with which PoCL 3.1 was tried, the text changes nothing.
[[nodiscard]] std::string one_copy_of_kernels(std::string_view text);

}  // namespace maxwell_dg::core::opencl
