#include "core/cuda/states.hpp"

namespace maxwell_dg::core::cuda {

CudaStream::CudaStream(std::shared_ptr<CudaDevice> device) : device_(std::move(device)) {
  const ScopedContext current(device_->context());
  current.required();
  // Not ordered with the legacy default stream, which other libraries may use.
  check(driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
}

CudaStream::~CudaStream() {
  const ScopedContext current(device_->context());
  if (current.is_current()) driver().cuStreamDestroy_v2(stream_);  // work under way is finished by the driver
}

void CudaStream::synchronize() {
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

std::shared_ptr<EventState> CudaStream::record() {
  auto event = std::make_shared<CudaEvent>(device_);
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuEventRecord(event->get(), stream_), "cuEventRecord");
  return event;
}

void CudaStream::wait(EventState& event) {
  const CUevent other = state_cast<CudaEvent>(event, "event").get();
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuStreamWaitEvent(stream_, other, 0), "cuStreamWaitEvent");
}

void CudaStream::write(BufferState& to, std::size_t offset, std::span<const std::byte> from) {
  const CUdeviceptr target = state_cast<CudaBuffer>(to, "buffer").get() + offset;
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuMemcpyHtoDAsync_v2(target, from.data(), from.size(), stream_), "cuMemcpyHtoDAsync");
}

void CudaStream::read(BufferState& from, std::size_t offset, std::span<std::byte> to) {
  const CUdeviceptr source = state_cast<CudaBuffer>(from, "buffer").get() + offset;
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuMemcpyDtoHAsync_v2(to.data(), source, to.size(), stream_), "cuMemcpyDtoHAsync");
}

void CudaStream::copy(BufferState& from, std::size_t from_offset, BufferState& to, std::size_t to_offset,
                      std::size_t bytes) {
  const CUdeviceptr source = state_cast<CudaBuffer>(from, "buffer").get() + from_offset;
  const CUdeviceptr target = state_cast<CudaBuffer>(to, "buffer").get() + to_offset;
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuMemcpyDtoDAsync_v2(target, source, bytes, stream_), "cuMemcpyDtoDAsync");
}

void CudaStream::fill_zero(BufferState& buffer) {
  const CUdeviceptr target = state_cast<CudaBuffer>(buffer, "buffer").get();
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuMemsetD8Async(target, 0, buffer.size_bytes(), stream_), "cuMemsetD8Async");
}

CudaEvent::CudaEvent(std::shared_ptr<CudaDevice> device) : device_(std::move(device)) {
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuEventCreate(&event_, CU_EVENT_DEFAULT), "cuEventCreate");
}

CudaEvent::~CudaEvent() {
  const ScopedContext current(device_->context());
  if (current.is_current()) driver().cuEventDestroy_v2(event_);
}

void CudaEvent::synchronize() {
  const ScopedContext current(device_->context());
  current.required();
  check(driver().cuEventSynchronize(event_), "cuEventSynchronize");
}

bool CudaEvent::is_done() {
  const ScopedContext current(device_->context());
  current.required();
  const CUresult code = driver().cuEventQuery(event_);
  if (code == CUDA_ERROR_NOT_READY) return false;
  check(code, "cuEventQuery");
  return true;
}

double CudaEvent::seconds_since(EventState& begin) {
  auto& first = state_cast<CudaEvent>(begin, "event");
  first.synchronize();
  synchronize();
  const ScopedContext current(device_->context());
  current.required();
  float milliseconds = 0.0F;
  check(driver().cuEventElapsedTime(&milliseconds, first.get(), event_), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace maxwell_dg::core::cuda
