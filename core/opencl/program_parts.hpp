#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/device/device.hpp"

/// Programs of OpenCL that come in other ways than as one text (Device::build). What is made is for Device::load.
namespace maxwell_dg::core::opencl {

/// Compiles each unit by itself and links them, so that kernels of one call functions of another, which it declares. A
/// failure is `ok == false` with the log of the unit, or of the linker.
[[nodiscard]] BuildResult link(const Device& device, std::span<const BuildRequest> units,
                               const std::vector<std::string>& link_options = {});

/// A program of the intermediate language SPIR-V, made elsewhere. Throws UnsupportedFeature where the device takes
/// none.
[[nodiscard]] BuildResult build_spirv(const Device& device, std::span<const std::byte> words, const std::string& name,
                                      const std::vector<std::string>& options = {});

}  // namespace maxwell_dg::core::opencl
