#include <algorithm>

#include "core/cuda/states.hpp"
#include "core/round_up.hpp"

namespace maxwell_dg::core::cuda {
namespace {

/// What a buffer's handles share: device memory that counts as allocated.
struct Allocation {
  Allocation(std::shared_ptr<CudaDevice> its_device, CUdeviceptr its_memory, std::size_t its_bytes)
      : device(std::move(its_device)), memory(its_memory), bytes(its_bytes) {
    device->memory().add(bytes);
  }
  ~Allocation() {
    device->memory().remove(bytes);
    const ScopedContext current(device->context());
    if (current.is_current()) driver().cuMemFree_v2(memory);
  }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  std::shared_ptr<CudaDevice> device;
  CUdeviceptr memory;
  std::size_t bytes;
};

/// Page-locked memory of the driver's.
struct HostAllocation {
  HostAllocation(std::shared_ptr<CudaDevice> its_device, void* its_data)
      : device(std::move(its_device)), data(its_data) {}
  ~HostAllocation() {
    const ScopedContext current(device->context());
    if (current.is_current()) driver().cuMemFreeHost(data);
  }
  HostAllocation(const HostAllocation&) = delete;
  HostAllocation& operator=(const HostAllocation&) = delete;

  std::shared_ptr<CudaDevice> device;
  void* data;
};

/// Memory of the caller's, page-locked for a while.
struct Registration {
  Registration(std::shared_ptr<CudaDevice> its_device, void* its_data)
      : device(std::move(its_device)), data(its_data) {}
  ~Registration() {
    const ScopedContext current(device->context());
    if (current.is_current()) driver().cuMemHostUnregister(data);
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  std::shared_ptr<CudaDevice> device;
  void* data;
};

OutOfDeviceMemory out_of_host_memory(std::size_t bytes) {
  return OutOfDeviceMemory("out of page-locked host memory: " + readable_bytes(bytes) +
                           " were asked for; use less of it, or ordinary memory for what is seldom moved");
}

}  // namespace

std::size_t CudaDevice::free_bytes() {
  const Current current(*this);
  std::size_t free = 0;
  std::size_t total = 0;
  check(driver().cuMemGetInfo_v2(&free, &total), "cuMemGetInfo");
  return free;
}

std::shared_ptr<BufferState> CudaDevice::allocate(std::size_t bytes) {
  if (bytes == 0) return std::make_shared<CudaBuffer>(self(), 0, CUdeviceptr{}, nullptr);
  const Current current(*this);
  CUdeviceptr memory{};
  const CUresult code = driver().cuMemAlloc_v2(&memory, bytes);
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_memory(info(), bytes, free_bytes());
  check(code, "cuMemAlloc");
  return std::make_shared<CudaBuffer>(self(), bytes, memory, std::make_shared<Allocation>(self(), memory, bytes));
}

std::size_t CudaDevice::best_row_pitch(std::size_t row_bytes) {
  // What cuMemAllocPitch rounds to: rows begin where textures and coalesced reads want them.
  const auto alignment = static_cast<std::size_t>(std::max(attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
                                                           attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT)));
  return round_up(row_bytes, alignment);
}

std::shared_ptr<HostState> CudaDevice::allocate_host(std::size_t bytes, HostMemory kind) {
  if (bytes == 0) return std::make_shared<HostState>(std::span<std::byte>{}, nullptr, nullptr);
  const Current current(*this);
  if (kind == HostMemory::managed) {
    CUdeviceptr memory{};
    const CUresult code = driver().cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL);
    if (code == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_memory(info(), bytes, free_bytes());
    check(code, "cuMemAllocManaged");
    auto owner = std::make_shared<Allocation>(self(), memory, bytes);
    auto view = std::make_shared<CudaBuffer>(self(), bytes, memory, owner);
    return std::make_shared<HostState>(std::span(reinterpret_cast<std::byte*>(memory), bytes), std::move(view),
                                       std::move(owner));
  }
  unsigned flags = CU_MEMHOSTALLOC_PORTABLE;
  if (kind == HostMemory::write_combined) flags |= CU_MEMHOSTALLOC_WRITECOMBINED;
  if (kind == HostMemory::mapped) flags |= CU_MEMHOSTALLOC_DEVICEMAP;
  void* data = nullptr;
  const CUresult code = driver().cuMemHostAlloc(&data, bytes, flags);
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_host_memory(bytes);
  check(code, "cuMemHostAlloc");
  auto owner = std::make_shared<HostAllocation>(self(), data);
  std::shared_ptr<BufferState> view;
  if (kind == HostMemory::mapped) {
    CUdeviceptr address{};
    check(driver().cuMemHostGetDevicePointer_v2(&address, data, 0), "cuMemHostGetDevicePointer");
    view = std::make_shared<CudaBuffer>(self(), bytes, address, owner);
  }
  return std::make_shared<HostState>(std::span(static_cast<std::byte*>(data), bytes), std::move(view),
                                     std::move(owner));
}

std::shared_ptr<HostState> CudaDevice::register_host(std::span<std::byte> memory) {
  if (memory.empty()) return std::make_shared<HostState>(memory, nullptr, nullptr);
  const Current current(*this);
  const CUresult code = driver().cuMemHostRegister_v2(memory.data(), memory.size(), CU_MEMHOSTREGISTER_PORTABLE);
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_host_memory(memory.size());
  check(code, "cuMemHostRegister");
  return std::make_shared<HostState>(memory, nullptr, std::make_shared<Registration>(self(), memory.data()));
}

std::shared_ptr<BufferState> CudaDevice::wrap_buffer(std::uintptr_t raw, std::size_t bytes,
                                                     std::shared_ptr<void> owner) {
  return std::make_shared<CudaBuffer>(self(), raw == 0 ? 0 : bytes, static_cast<CUdeviceptr>(raw), std::move(owner));
}

std::shared_ptr<BufferState> CudaBuffer::region(std::size_t offset, std::size_t bytes, std::shared_ptr<void> owner) {
  return std::make_shared<CudaBuffer>(device_, bytes, memory_ + offset, std::move(owner));
}

}  // namespace maxwell_dg::core::cuda
