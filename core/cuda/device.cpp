#include <array>
#include <cstddef>
#include <string_view>

#include "core/cuda/cuda.hpp"
#include "core/cuda/nvrtc.hpp"
#include "core/cuda/states.hpp"

namespace maxwell_dg::core::cuda {
namespace {

int attribute(CUdevice device, CUdevice_attribute what) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, what, device), "cuDeviceGetAttribute");
  return value;
}

std::size_t size_attribute(CUdevice device, CUdevice_attribute what) {
  return static_cast<std::size_t>(attribute(device, what));
}

CUdevice device_of(int index) {
  CUdevice device{};
  check(driver().cuDeviceGet(&device, index), "cuDeviceGet");
  return device;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

DeviceInfo describe(int index) {
  const CUdevice device = device_of(index);
  std::array<char, 256> name{};
  check(driver().cuDeviceGetName(name.data(), static_cast<int>(name.size()), device), "cuDeviceGetName");
  std::size_t memory = 0;
  check(driver().cuDeviceTotalMem_v2(&memory, device), "cuDeviceTotalMem");
  const int major = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  const int minor = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  return DeviceInfo{
      .backend = Backend::cuda,
      .index = index,
      .name = name.data(),
      .driver = "CUDA driver " + version_text(driver_version()),
      .architecture = "sm_" + std::to_string(major) + std::to_string(minor),
      .memory_bytes = memory,
      .compute_units = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
      .warp_size = attribute(device, CU_DEVICE_ATTRIBUTE_WARP_SIZE),
      .vector_bytes = 0,
      .shared_memory_bytes = size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
      .max_group_size = size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
      .is_cpu = false,
      .has_float64 = true,
      .has_float16 = true,
  };
}

LaunchLimits limits_of(CUdevice device) {
  return {.group_items = size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
          .group_size = {size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                         size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                         size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)},
          .groups = {size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                     size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                     size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)}};
}

}  // namespace

DeviceList list_devices() {
  const DriverState& state = driver_state();
  if (state.driver == nullptr) return {.devices = {}, .absence = state.absence};
  int count = 0;
  check(driver().cuDeviceGetCount(&count), "cuDeviceGetCount");
  DeviceList list;
  for (int index = 0; index < count; ++index) list.devices.push_back(describe(index));
  if (count == 0) list.absence = "the CUDA driver sees no device (is CUDA_VISIBLE_DEVICES set?)";
  return list;
}

std::string identity_of(const DeviceInfo& info) {
  CUuuid id{};
  check(driver().cuDeviceGetUuid_v2(&id, device_of(info.index)), "cuDeviceGetUuid_v2");
  std::string text;
  for (const char byte : id.bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    text += digits[value / 16U];
    text += digits[value % 16U];
  }
  return text;
}

std::shared_ptr<DeviceState> open(const DeviceInfo& info, ContextKind kind) {
  return std::make_shared<CudaDevice>(info, device_of(info.index), kind);
}

CudaDevice::CudaDevice(DeviceInfo its_info, CUdevice device, ContextKind kind)
    : DeviceState(std::move(its_info)), context_(device, kind), limits_(limits_of(device)) {}

int CudaDevice::attribute(CUdevice_attribute what) const {
  return cuda::attribute(context_.device(), what);
}

std::shared_ptr<StreamState> CudaDevice::create_stream(const StreamOptions& options) {
  return std::make_shared<CudaStream>(self(), options.priority);
}

std::shared_ptr<StreamState> CudaDevice::wrap_stream(std::uintptr_t raw) {
  return std::make_shared<CudaStream>(self(), reinterpret_cast<CUstream>(raw));
}

void CudaDevice::synchronize() {
  const Current current(*this);
  check(driver().cuCtxSynchronize(), "cuCtxSynchronize");
}

BuildResult CudaDevice::build(const BuildRequest& request) {
  return compile(request, info().architecture);
}

std::shared_ptr<ModuleState> CudaDevice::load(std::span<const std::byte> binary, const std::string& name) {
  return std::make_shared<CudaModule>(self(), name, binary);
}

std::vector<std::string> CudaDevice::compiler_fingerprint() {
  std::vector<std::string> fields{"CUDA", info().architecture};
  for (std::string& field : nvrtc_fingerprint()) fields.push_back(std::move(field));
  return fields;
}

CudaDevice::Clock CudaDevice::trace_clock() {
  const std::lock_guard lock(clock_mutex_);
  if (clock_.event != nullptr) return clock_;
  const Current current(*this);
  const CudaStream stream(self(), StreamPriority::normal);
  check(driver().cuEventCreate(&clock_.event, CU_EVENT_DEFAULT), "cuEventCreate");
  check(driver().cuEventRecord(clock_.event, stream.get()), "cuEventRecord");
  check(driver().cuEventSynchronize(clock_.event), "cuEventSynchronize");
  clock_.host = trace::now();
  return clock_;
}

}  // namespace maxwell_dg::core::cuda
