#include <array>

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

std::shared_ptr<DeviceState> open(const DeviceInfo& info) {
  return std::make_shared<CudaDevice>(info, device_of(info.index));
}

PrimaryContext::PrimaryContext(CUdevice device) : device_(device) {
  check(driver().cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain",
        "is another process using the device exclusively?");
}

PrimaryContext::~PrimaryContext() {
  driver().cuDevicePrimaryCtxRelease_v2(device_);
}

CudaDevice::CudaDevice(DeviceInfo its_info, CUdevice device)
    : DeviceState(std::move(its_info)), context_(device), limits_(limits_of(device)) {}

std::shared_ptr<StreamState> CudaDevice::create_stream() {
  return std::make_shared<CudaStream>(std::static_pointer_cast<CudaDevice>(shared_from_this()));
}

std::size_t CudaDevice::free_bytes() {
  const ScopedContext current(context());
  current.required();
  std::size_t free = 0;
  std::size_t total = 0;
  check(driver().cuMemGetInfo_v2(&free, &total), "cuMemGetInfo");
  return free;
}

std::shared_ptr<BufferState> CudaDevice::allocate(std::size_t bytes) {
  auto self = std::static_pointer_cast<CudaDevice>(shared_from_this());
  if (bytes == 0) return std::make_shared<CudaBuffer>(std::move(self), 0, CUdeviceptr{});
  const ScopedContext current(context());
  current.required();
  CUdeviceptr memory{};
  const CUresult code = driver().cuMemAlloc_v2(&memory, bytes);
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_memory(info(), bytes, free_bytes());
  check(code, "cuMemAlloc");
  return std::make_shared<CudaBuffer>(std::move(self), bytes, memory);
}

void CudaDevice::synchronize() {
  const ScopedContext current(context());
  current.required();
  check(driver().cuCtxSynchronize(), "cuCtxSynchronize");
}

BuildResult CudaDevice::build(const BuildRequest& request) {
  return compile(request, info().architecture);
}

std::shared_ptr<ModuleState> CudaDevice::load(std::span<const std::byte> binary, const std::string& name) {
  return std::make_shared<CudaModule>(std::static_pointer_cast<CudaDevice>(shared_from_this()), name, binary);
}

std::vector<std::string> CudaDevice::compiler_fingerprint() {
  std::vector<std::string> fields{"CUDA", info().architecture};
  for (std::string& field : nvrtc_fingerprint()) fields.push_back(std::move(field));
  return fields;
}

CudaBuffer::CudaBuffer(std::shared_ptr<CudaDevice> device, std::size_t bytes, CUdeviceptr memory)
    : BufferState(bytes), device_(std::move(device)), memory_(memory) {
  device_->memory().add(bytes);
}

CudaBuffer::~CudaBuffer() {
  device_->memory().remove(size_bytes());
  if (memory_ == 0) return;
  const ScopedContext current(device_->context());
  if (current.is_current()) driver().cuMemFree_v2(memory_);
}

}  // namespace maxwell_dg::core::cuda
