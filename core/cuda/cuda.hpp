#pragma once

#include <memory>

#include "core/device/backend.hpp"

/// The CUDA backend, as core/device sees it. cuda.h and nvrtc.h are included only inside this folder.
namespace maxwell_dg::core::cuda {

/// All devices of the driver; none, with the reason, when there is no driver or it does not start.
[[nodiscard]] DeviceList list_devices();

[[nodiscard]] std::string identity_of(const DeviceInfo& info);
[[nodiscard]] std::shared_ptr<DeviceState> open(const DeviceInfo& info, ContextKind kind);

}  // namespace maxwell_dg::core::cuda
