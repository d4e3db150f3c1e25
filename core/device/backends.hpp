#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/device/backend.hpp"

namespace maxwell_dg::core {

/// One backend as this build has it. `list` and `open` are null when it was left out.
struct BackendEntry {
  Backend backend;
  std::string_view prefix;  ///< in a SPEC: "cuda", "opencl"
  std::string_view build_option;
  std::string_view remedy;  ///< what to install when there is no device
  DeviceList (*list)();
  std::shared_ptr<DeviceState> (*open)(const DeviceInfo&, ContextKind);
  std::string (*identity)(const DeviceInfo&);  ///< identity_of; null where devices have none
};

/// In the order in which `auto` tries them.
[[nodiscard]] std::span<const BackendEntry> backends();

/// Its devices; none, with the reason, where this build lacks the backend.
[[nodiscard]] DeviceList list_devices(const BackendEntry& entry);

[[nodiscard]] std::shared_ptr<DeviceState> open_backend_device(const DeviceInfo& info, ContextKind kind);

}  // namespace maxwell_dg::core
