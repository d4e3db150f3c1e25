#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "core/cuda/states.hpp"

namespace maxwell_dg::core::cuda {

namespace {

/// Where CUDA's copies of boxes lie: a slice is a number of rows.
std::size_t rows_between_slices(const BoxLayout& layout) {
  return layout.slice_pitch / layout.row_pitch;
}

CUDA_MEMCPY3D box_copy(const BoxLayout& from, const BoxLayout& to, const BoxExtent& extent) {
  CUDA_MEMCPY3D copy{};
  copy.srcPitch = from.row_pitch;
  copy.srcHeight = rows_between_slices(from);
  copy.dstPitch = to.row_pitch;
  copy.dstHeight = rows_between_slices(to);
  copy.WidthInBytes = extent.width;
  copy.Height = extent.height;
  copy.Depth = extent.depth;
  return copy;
}

void set_source(CUDA_MEMCPY3D& copy, CUdeviceptr from, const BoxLayout& layout) {
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from + layout.offset;
}

void set_target(CUDA_MEMCPY3D& copy, CUdeviceptr to, const BoxLayout& layout) {
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to + layout.offset;
}

CUdeviceptr address_of(BufferState& buffer) {
  return state_cast<CudaBuffer>(buffer, "buffer").get();
}

template <class Word>
Word word_of(std::span<const std::byte> pattern) {
  Word word{};
  std::memcpy(&word, pattern.data(), sizeof word);
  return word;
}

/// The shortest pattern that means the same: one byte, or one word of 16 or 32 bits, where all are equal.
std::span<const std::byte> shortened(std::span<const std::byte> pattern) {
  while (pattern.size() > 1) {
    const std::size_t half = pattern.size() / 2;
    if (!std::ranges::equal(pattern.first(half), pattern.last(half))) break;
    pattern = pattern.first(half);
  }
  return pattern;
}

}  // namespace

CudaStream::CudaStream(std::shared_ptr<CudaDevice> device, StreamPriority priority) : device_(std::move(device)) {
  const Current current(*device_);
  int least = 0;
  int greatest = 0;  // smaller numbers are more urgent
  check(driver().cuCtxGetStreamPriorityRange(&least, &greatest), "cuCtxGetStreamPriorityRange");
  const int wanted = priority == StreamPriority::high ? greatest : priority == StreamPriority::low ? least : 0;
  // Not ordered with the legacy default stream, which other libraries may use.
  check(driver().cuStreamCreateWithPriority(&stream_, CU_STREAM_NON_BLOCKING, wanted), "cuStreamCreateWithPriority");
}

CudaStream::~CudaStream() {
  if (!owned_) return;
  const ScopedContext current(device_->context());
  if (current.is_current()) driver().cuStreamDestroy_v2(stream_);  // work under way is finished by the driver
}

void CudaStream::synchronize() {
  const Current current(*device_);
  check(driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

std::shared_ptr<EventState> CudaStream::record(EventKind kind) {
  auto event = std::make_shared<CudaEvent>(device_, kind);
  const Current current(*device_);
  check(driver().cuEventRecord(event->get(), stream_), "cuEventRecord");
  return event;
}

void CudaStream::wait(EventState& event) {
  const CUevent other = state_cast<CudaEvent>(event, "event").get();
  const Current current(*device_);
  check(driver().cuStreamWaitEvent(stream_, other, 0), "cuStreamWaitEvent");
}

void CudaStream::call_on_host(std::function<void()> function) {
  const Current current(*device_);
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  check(driver().cuStreamIsCapturing(stream_, &capture), "cuStreamIsCapturing");
  if (capture != CU_STREAM_CAPTURE_STATUS_NONE) {
    throw UnsupportedFeature("a graph, which may be replayed, takes no host function that is called once");
  }
  using Function = std::function<void()>;
  auto owned = std::make_unique<Function>(std::move(function));
  const CUhostFn run = [](void* data) { (*std::unique_ptr<Function>(static_cast<Function*>(data)))(); };
  check(driver().cuLaunchHostFunc(stream_, run, owned.get()), "cuLaunchHostFunc");
  (void)owned.release();  // `run` deletes it
}

void CudaStream::write(BufferState& to, std::size_t offset, std::span<const std::byte> from) {
  const CUdeviceptr target = address_of(to) + offset;
  const Current current(*device_);
  check(driver().cuMemcpyHtoDAsync_v2(target, from.data(), from.size(), stream_), "cuMemcpyHtoDAsync");
}

void CudaStream::read(BufferState& from, std::size_t offset, std::span<std::byte> to) {
  const CUdeviceptr source = address_of(from) + offset;
  const Current current(*device_);
  check(driver().cuMemcpyDtoHAsync_v2(to.data(), source, to.size(), stream_), "cuMemcpyDtoHAsync");
}

void CudaStream::copy(BufferState& from, std::size_t from_offset, BufferState& to, std::size_t to_offset,
                      std::size_t bytes) {
  const CUdeviceptr source = address_of(from) + from_offset;
  const CUdeviceptr target = address_of(to) + to_offset;
  const Current current(*device_);
  check(driver().cuMemcpyDtoDAsync_v2(target, source, bytes, stream_), "cuMemcpyDtoDAsync");
}

void CudaStream::write_box(BufferState& to, const BoxLayout& to_layout, const std::byte* from,
                           const BoxLayout& from_layout, const BoxExtent& extent) {
  CUDA_MEMCPY3D copy = box_copy(from_layout, to_layout, extent);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from + from_layout.offset;
  set_target(copy, address_of(to), to_layout);
  const Current current(*device_);
  check(driver().cuMemcpy3DAsync_v2(&copy, stream_), "cuMemcpy3DAsync");
}

void CudaStream::read_box(BufferState& from, const BoxLayout& from_layout, std::byte* to, const BoxLayout& to_layout,
                          const BoxExtent& extent) {
  CUDA_MEMCPY3D copy = box_copy(from_layout, to_layout, extent);
  set_source(copy, address_of(from), from_layout);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to + to_layout.offset;
  const Current current(*device_);
  check(driver().cuMemcpy3DAsync_v2(&copy, stream_), "cuMemcpy3DAsync");
}

void CudaStream::copy_box(BufferState& from, const BoxLayout& from_layout, BufferState& to, const BoxLayout& to_layout,
                          const BoxExtent& extent) {
  CUDA_MEMCPY3D copy = box_copy(from_layout, to_layout, extent);
  set_source(copy, address_of(from), from_layout);
  set_target(copy, address_of(to), to_layout);
  const Current current(*device_);
  check(driver().cuMemcpy3DAsync_v2(&copy, stream_), "cuMemcpy3DAsync");
}

void CudaStream::fill(BufferState& buffer, std::size_t offset, std::size_t bytes, std::span<const std::byte> pattern) {
  const CUdeviceptr target = address_of(buffer) + offset;
  const std::span<const std::byte> word = shortened(pattern);
  const Current current(*device_);
  switch (word.size()) {
    case 1:
      check(driver().cuMemsetD8Async(target, word_of<unsigned char>(word), bytes, stream_), "cuMemsetD8Async");
      return;
    case 2:
      check(driver().cuMemsetD16Async(target, word_of<unsigned short>(word), bytes / 2, stream_), "cuMemsetD16Async");
      return;
    case 4:
      check(driver().cuMemsetD32Async(target, word_of<unsigned>(word), bytes / 4, stream_), "cuMemsetD32Async");
      return;
    default: break;
  }
  // CUDA repeats no longer words: set the first pattern, then copy what is there behind itself, doubling it each time.
  for (std::size_t at = 0; at < word.size(); at += 4) {
    check(driver().cuMemsetD32Async(target + at, word_of<unsigned>(word.subspan(at, 4)), 1, stream_),
          "cuMemsetD32Async");
  }
  for (std::size_t done = word.size(); done < bytes; done *= 2) {
    check(driver().cuMemcpyDtoDAsync_v2(target + done, target, std::min(done, bytes - done), stream_),
          "cuMemcpyDtoDAsync");
  }
}

void CudaStream::fill_box(BufferState& buffer, const BoxLayout& layout, const BoxExtent& extent,
                          std::span<const std::byte> pattern) {
  const std::span<const std::byte> word = shortened(pattern);
  if (word.size() > 4) {
    StreamState::fill_box(buffer, layout, extent, pattern);
    return;
  }
  const Current current(*device_);
  const std::size_t words = extent.width / word.size();
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    const CUdeviceptr target = address_of(buffer) + layout.offset + slice * layout.slice_pitch;
    switch (word.size()) {
      case 1:
        check(driver().cuMemsetD2D8Async(target, layout.row_pitch, word_of<unsigned char>(word), words, extent.height,
                                         stream_),
              "cuMemsetD2D8Async");
        break;
      case 2:
        check(driver().cuMemsetD2D16Async(target, layout.row_pitch, word_of<unsigned short>(word), words, extent.height,
                                          stream_),
              "cuMemsetD2D16Async");
        break;
      default:
        check(driver().cuMemsetD2D32Async(target, layout.row_pitch, word_of<unsigned>(word), words, extent.height,
                                          stream_),
              "cuMemsetD2D32Async");
        break;
    }
  }
}

CudaEvent::CudaEvent(std::shared_ptr<CudaDevice> device, EventKind kind)
    : EventState(kind), device_(std::move(device)) {
  const Current current(*device_);
  check(driver().cuEventCreate(&event_, kind == EventKind::timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING),
        "cuEventCreate");
}

CudaEvent::CudaEvent(std::shared_ptr<CudaDevice> device, EventKind kind, CUevent event)
    : EventState(kind), device_(std::move(device)), event_(event) {}

CudaEvent::~CudaEvent() {
  const ScopedContext current(device_->context());
  if (current.is_current()) driver().cuEventDestroy_v2(event_);
}

void CudaEvent::synchronize() {
  const Current current(*device_);
  check(driver().cuEventSynchronize(event_), "cuEventSynchronize");
}

bool CudaEvent::is_done() {
  const Current current(*device_);
  const CUresult code = driver().cuEventQuery(event_);
  if (code == CUDA_ERROR_NOT_READY) return false;
  check(code, "cuEventQuery");
  return true;
}

double CudaEvent::seconds_since(EventState& begin) {
  auto& first = state_cast<CudaEvent>(begin, "event");
  first.synchronize();
  synchronize();
  const Current current(*device_);
  float milliseconds = 0.0F;
  check(driver().cuEventElapsedTime(&milliseconds, first.get(), event_), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace maxwell_dg::core::cuda
