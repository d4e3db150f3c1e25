#pragma once

#include <string>
#include <vector>

/// What OpenCL drivers are installed, found as the ICD loader finds them: the loader itself tells nothing of those that
/// it cannot load.
namespace maxwell_dg::core::opencl {

/// The libraries that the loader is told of: by OCL_ICD_VENDORS or OPENCL_VENDOR_PATH where one is set, else by the
/// files in /etc/OpenCL/vendors.
[[nodiscard]] std::vector<std::string> installed_drivers();

/// Whether one of them is PoCL.
[[nodiscard]] bool has_pocl();

struct Absence {
  std::string reason;
  std::string remedy;  ///< empty: what helps where no driver is installed
};

/// Why no device was found: no driver, one that cannot be loaded and why, or drivers that have no device.
[[nodiscard]] Absence why_no_devices();

}  // namespace maxwell_dg::core::opencl
