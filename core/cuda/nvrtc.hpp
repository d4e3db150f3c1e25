#pragma once

#include <string>
#include <vector>

#include "core/device/device.hpp"

/// NVRTC, NVIDIA's compiler as a library, loaded when first needed. No GPU is needed to compile.
namespace maxwell_dg::core::cuda {

/// Compiles for one architecture, e.g. "sm_90". The binary is a cubin; for a device newer than the compiler it is PTX
/// of the newest architecture that the compiler knows, which the driver finishes when it loads it: the log says so,
/// and a warning, once per architecture. `--std=c++17` unless the options name a standard; an option
/// `--gpu-architecture=sm_90a` takes the place of `architecture`; one that asks for `compute_90` gets PTX.
/// Throws DeviceError when NVRTC is missing, or has dropped an architecture as old as this one.
[[nodiscard]] BuildResult compile(const BuildRequest& request, const std::string& architecture);

/// "sm_75", "sm_80", ... that this NVRTC makes cubins for. Empty, with no error, where there is no NVRTC.
[[nodiscard]] std::vector<std::string> supported_architectures();

/// Version and build of the compiler. Throws DeviceError when NVRTC is missing.
[[nodiscard]] std::vector<std::string> nvrtc_fingerprint();

}  // namespace maxwell_dg::core::cuda
