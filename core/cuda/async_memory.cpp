#include "core/cuda/async_memory.hpp"

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {
namespace {

CUdevice place_code(const CudaDevice& device, Place place) {
  return place == Place::host ? CU_DEVICE_CPU : device.context().device();
}

constexpr const char* kAsync = "memory in the order of a stream";

struct AsyncAllocation {
  AsyncAllocation(Stream its_stream, CUdeviceptr its_memory, std::size_t its_bytes)
      : stream(std::move(its_stream)), memory(its_memory), bytes(its_bytes) {
    state().device()->memory().add(bytes);
  }
  ~AsyncAllocation() {
    state().device()->memory().remove(bytes);
    const ScopedContext current(state().device()->context());
    if (current.is_current()) driver().cuMemFreeAsync(memory, state().get());
  }
  AsyncAllocation(const AsyncAllocation&) = delete;
  AsyncAllocation& operator=(const AsyncAllocation&) = delete;
  [[nodiscard]] CudaStream& state() const { return static_cast<CudaStream&>(stream.state()); }

  Stream stream;
  CUdeviceptr memory;
  std::size_t bytes;
};

}  // namespace

Buffer allocate_async(const Stream& stream, std::size_t bytes) {
  CudaStream& queue = cuda_stream(stream, kAsync);
  const std::shared_ptr<CudaDevice>& device = queue.device();
  if (bytes == 0) return Buffer(device->allocate(0));
  const Current current(*device);
  CUdeviceptr memory{};
  const CUresult code = driver().cuMemAllocAsync(&memory, bytes, queue.get());
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_memory(device->info(), bytes, device->free_bytes());
  check(code, "cuMemAllocAsync");
  return Buffer(
      std::make_shared<CudaBuffer>(device, bytes, memory, std::make_shared<AsyncAllocation>(stream, memory, bytes)));
}

void trim_async_memory(const Device& device, std::size_t keep_bytes) {
  const auto state = cuda_device(device, kAsync);
  const Current current(*state);
  CUmemoryPool pool = nullptr;
  check(driver().cuDeviceGetDefaultMemPool(&pool, state->context().device()), "cuDeviceGetDefaultMemPool");
  check(driver().cuMemPoolTrimTo(pool, keep_bytes), "cuMemPoolTrimTo");
}

void prefetch(const Stream& stream, const HostBuffer& managed, Place to) {
  CudaStream& queue = cuda_stream(stream, "prefetch of managed memory");
  if (driver().cuMemPrefetchAsync.get() == nullptr) {
    throw UnsupportedFeature("this CUDA driver has no cuMemPrefetchAsync; leave managed memory to move by itself");
  }
  const Buffer view = managed.device_view();
  const Current current(*queue.device());
  check(driver().cuMemPrefetchAsync(cuda_buffer(view, "prefetch").get(), view.size_bytes(),
                                    place_code(*queue.device(), to), queue.get()),
        "cuMemPrefetchAsync", "only memory of kind HostMemory::managed can be moved");
}

void advise(const Device& device, const HostBuffer& managed, Advice advice, Place place) {
  const auto state = cuda_device(device, "advice on managed memory");
  if (driver().cuMemAdvise.get() == nullptr) {
    throw UnsupportedFeature("this CUDA driver has no cuMemAdvise; leave managed memory to move by itself");
  }
  const auto code = [&] {
    switch (advice) {
      case Advice::read_mostly: return CU_MEM_ADVISE_SET_READ_MOSTLY;
      case Advice::unset_read_mostly: return CU_MEM_ADVISE_UNSET_READ_MOSTLY;
      case Advice::preferred_location: return CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
      case Advice::unset_preferred_location: return CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
      case Advice::accessed_by: return CU_MEM_ADVISE_SET_ACCESSED_BY;
      case Advice::unset_accessed_by: return CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    }
    return CU_MEM_ADVISE_SET_READ_MOSTLY;
  }();
  const Buffer view = managed.device_view();
  const Current current(*state);
  check(driver().cuMemAdvise(cuda_buffer(view, "advice").get(), view.size_bytes(), code, place_code(*state, place)),
        "cuMemAdvise", "only memory of kind HostMemory::managed can be advised on");
}

}  // namespace maxwell_dg::core::cuda
