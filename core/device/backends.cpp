#include "core/device/backends.hpp"

#include <array>
#include <cstdio>

#include "core/device/trace.hpp"

#if MAXWELL_DG_HAVE_CUDA
#include "core/cuda/cuda.hpp"
#endif
#if MAXWELL_DG_HAVE_OPENCL
#include "core/opencl/opencl.hpp"
#endif

namespace maxwell_dg::core {
namespace {

constexpr BackendEntry kCuda {
  .backend = Backend::cuda, .prefix = "cuda", .build_option = "MAXWELL_DG_CUDA", .remedy = "install the NVIDIA driver",
#if MAXWELL_DG_HAVE_CUDA
  .list = cuda::list_devices, .open = cuda::open, .identity = cuda::identity_of
#else
  .list = nullptr, .open = nullptr, .identity = nullptr
#endif
};

constexpr BackendEntry kOpencl {
  .backend = Backend::opencl, .prefix = "opencl", .build_option = "MAXWELL_DG_OPENCL",
  .remedy = "install an OpenCL driver; for the CPU: apt install pocl-opencl-icd",
#if MAXWELL_DG_HAVE_OPENCL
  .list = opencl::list_devices, .open = opencl::open, .identity = nullptr
#else
  .list = nullptr, .open = nullptr, .identity = nullptr
#endif
};

constexpr std::array kBackends{kCuda, kOpencl};

}  // namespace

std::span<const BackendEntry> backends() {
  return kBackends;
}

DeviceList list_devices(const BackendEntry& entry) {
  trace::start_from_environment();
  if (entry.list != nullptr) return entry.list();
  return {.devices = {},
          .absence = "this build has no " + std::string(name_of(entry.backend)) + " backend (configure with " +
                     std::string(entry.build_option) + "=ON)"};
}

std::shared_ptr<DeviceState> open_backend_device(const DeviceInfo& info, ContextKind kind) {
  trace::start_from_environment();
  for (const BackendEntry& entry : backends()) {
    if (entry.backend == info.backend && entry.open != nullptr) return entry.open(info, kind);
  }
  throw DeviceError("this build has no " + std::string(name_of(info.backend)) + " backend");
}

UnsupportedFeature lacks(Backend backend, const std::string& what, const std::string& instead) {
  return UnsupportedFeature(std::string(name_of(backend)) + " has no " + what + "; " + instead);
}

std::string readable_bytes(std::size_t bytes) {
  constexpr std::array units{"bytes", "KB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000.0 && unit + 1 < units.size()) {
    value /= 1000.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.3g %s", value, units[unit]);
  return text.data();
}

OutOfDeviceMemory out_of_memory(const DeviceInfo& info, std::size_t asked, std::size_t free) {
  return OutOfDeviceMemory("out of device memory: " + readable_bytes(asked) + " (" + std::to_string(asked) +
                           " bytes) were asked for, " + readable_bytes(free) + " (" + std::to_string(free) +
                           " bytes) of " + readable_bytes(info.memory_bytes) + " are free on '" + info.name +
                           "'; free some, ask for less, or take another device");
}

}  // namespace maxwell_dg::core
