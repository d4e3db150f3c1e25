#include "core/cuda/ipc.hpp"

#include <bit>

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {
namespace {

constexpr const char* kIpc = "events shared by processes";

struct OpenedMemory {
  OpenedMemory(std::shared_ptr<CudaDevice> its_device, CUdeviceptr its_base)
      : device(std::move(its_device)), base(its_base) {}
  ~OpenedMemory() {
    const ScopedContext current(device->context());
    if (current.is_current()) driver().cuIpcCloseMemHandle(base);
  }
  OpenedMemory(const OpenedMemory&) = delete;
  OpenedMemory& operator=(const OpenedMemory&) = delete;

  std::shared_ptr<CudaDevice> device;
  CUdeviceptr base;
};

}  // namespace

PeerMemory CudaBuffer::share() {
  const Current current(*device_);
  CUdeviceptr base{};
  std::size_t size = 0;
  check(driver().cuMemGetAddressRange_v2(&base, &size, get()), "cuMemGetAddressRange");
  CUipcMemHandle handle{};
  check(driver().cuIpcGetMemHandle(&handle, base), "cuIpcGetMemHandle", "only memory from Device::allocate is shared");
  return {.handle = std::bit_cast<std::array<std::byte, 64>>(handle),
          .offset = static_cast<std::size_t>(get() - base),
          .bytes = size_bytes()};
}

std::shared_ptr<BufferState> CudaDevice::open_shared(const PeerMemory& memory) {
  const Current current(*this);
  CUdeviceptr base{};
  check(driver().cuIpcOpenMemHandle_v2(&base, std::bit_cast<CUipcMemHandle>(memory.handle),
                                       CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
        "cuIpcOpenMemHandle", "the memory must be another process's, on a device that this one can see");
  return std::make_shared<CudaBuffer>(self(), memory.bytes, base + memory.offset,
                                      std::make_shared<OpenedMemory>(self(), base));
}

Event record_shareable(const Stream& stream) {
  CudaStream& queue = cuda_stream(stream, kIpc);
  const Current current(*queue.device());
  CUevent raw = nullptr;
  check(driver().cuEventCreate(&raw, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS), "cuEventCreate");
  auto event = std::make_shared<CudaEvent>(queue.device(), EventKind::order, raw);
  check(driver().cuEventRecord(raw, queue.get()), "cuEventRecord");
  return Event(std::move(event));
}

SharedEvent share(const Event& event) {
  const auto& state = of_cuda<CudaEvent>(event.state(), kIpc);
  const Current current(state.device());
  CUipcEventHandle handle{};
  check(driver().cuIpcGetEventHandle(&handle, state.get()), "cuIpcGetEventHandle",
        "only events from record_shareable are shared");
  return {std::bit_cast<std::array<std::byte, 64>>(handle)};
}

Event open_shared(const Device& device, const SharedEvent& event) {
  const auto state = cuda_device(device, kIpc);
  const Current current(*state);
  CUevent raw = nullptr;
  check(driver().cuIpcOpenEventHandle(&raw, std::bit_cast<CUipcEventHandle>(event.handle)), "cuIpcOpenEventHandle");
  return Event(std::make_shared<CudaEvent>(state, EventKind::order, raw));
}

}  // namespace maxwell_dg::core::cuda
