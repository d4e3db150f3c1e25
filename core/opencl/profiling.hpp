#pragma once

#include <span>

#include "core/device/device.hpp"

/// When a command of OpenCL was queued, handed to the device, begun and done.
namespace maxwell_dg::core::opencl {

/// Seconds since the command was queued.
struct CommandTimes {
  double submitted{};
  double started{};
  double ended{};
};

/// Launches as Kernel::launch does and returns the event of the kernel itself, which spans it; events of
/// Stream::record mark one moment.
[[nodiscard]] Event launch_with_event(const Kernel& kernel, const Stream& stream, const LaunchShape& shape,
                                      std::span<const KernelArgument> arguments);

/// Waits for the command.
[[nodiscard]] CommandTimes times_of(const Event& event);

}  // namespace maxwell_dg::core::opencl
