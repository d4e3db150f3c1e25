#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.hpp"

/// Several compiled units into one binary.
namespace maxwell_dg::core::cuda {

enum class LinkInput { cubin, ptx, fatbin, object, library };

struct LinkUnit {
  LinkInput kind{LinkInput::cubin};
  std::span<const std::byte> bytes;
  std::string name;  ///< for messages
};

/// Links units that refer to each other's `__device__` functions and variables; NVRTC makes such units with the option
/// `--relocatable-device-code=true`. What comes out is for Device::load. Throws DriverError with the linker's log.
[[nodiscard]] std::vector<std::byte> link(const Device& device, std::span<const LinkUnit> units);

}  // namespace maxwell_dg::core::cuda
