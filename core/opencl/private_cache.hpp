#pragma once

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

}  // namespace maxwell_dg::core::opencl
