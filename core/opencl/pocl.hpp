#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <set>

/// What PoCL, the OpenCL driver for CPUs, is told through its environment variables. Other drivers ignore them.
namespace maxwell_dg::core::opencl {

/// PoCL keeps compiled kernels in a directory that its processes share, and crashes when two of them write there
/// at once (pocl#430, pocl#1480). While this guard lives, POCL_CACHE_DIR names a fresh directory of this process,
/// which is removed when the process ends. A value that the user set is kept.
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

using GroupSizes = std::set<std::array<std::size_t, 3>>;

/// PoCL compiles a kernel again at its first launch, for the group size of that launch; for a program loaded from a
/// binary too. While this guard lives, the program binaries that PoCL makes hold code for the given group sizes as
/// well, so that a launch of a loaded program compiles nothing. It is the code for grids of less than 65536
/// work-items in a dimension, since PoCL puts one kind into a binary: a larger grid is compiled for at its first
/// launch in each process, which is little next to what it runs.
///
/// A value of POCL_BINARY_SPECIALIZE_WG that the user set is kept.
class PoclSpecialization {
 public:
  explicit PoclSpecialization(const GroupSizes& sizes);
  ~PoclSpecialization();
  PoclSpecialization(const PoclSpecialization&) = delete;
  PoclSpecialization& operator=(const PoclSpecialization&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;  // the environment is one for all threads
  bool set_{};
};

}  // namespace maxwell_dg::core::opencl
