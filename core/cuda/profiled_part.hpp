#pragma once

#include "core/device/device.hpp"

namespace maxwell_dg::core::cuda {

/// The part of a program that a profiler records which was told to wait for it (`nsys profile
/// --capture-range=cudaProfilerApi`, `ncu --profile-from-start off`): from the construction of this object to its end.
/// Without a profiler nothing happens. ProfilerRange, which also OpenCL has, names what lies in a recording.
class ProfiledPart {
 public:
  explicit ProfiledPart(Device device);
  ~ProfiledPart();
  ProfiledPart(const ProfiledPart&) = delete;
  ProfiledPart& operator=(const ProfiledPart&) = delete;

 private:
  Device device_;
};

}  // namespace maxwell_dg::core::cuda
