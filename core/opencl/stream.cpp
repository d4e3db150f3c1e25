#include <array>
#include <functional>
#include <memory>
#include <utility>

#include "core/opencl/states.hpp"

namespace maxwell_dg::core::opencl {
namespace {

// A place in OpenCL's rectangles is a byte of a row, a row and a slice. The byte alone may name any place.
using Triple = std::array<std::size_t, 3>;

Triple region_of(const BoxExtent& extent) {
  return {extent.width, extent.height, extent.depth};
}

/// Of two places in one buffer the driver must see that boxes there do not overlap, and does so by whole rows.
Triple place_of(const BoxLayout& layout) {
  return {layout.offset % layout.row_pitch, layout.offset % layout.slice_pitch / layout.row_pitch,
          layout.offset / layout.slice_pitch};
}

/// What a driver's thread calls, and what later work waits for.
struct HostCall {
  std::function<void()> function;
  Owned<cl_event> end;
};

void CL_CALLBACK run_host_call(cl_event /*marker*/, cl_int status, void* data) {
  const std::unique_ptr<HostCall> call(static_cast<HostCall*>(data));
  if (status == CL_COMPLETE) call->function();  // else the work before it failed, and so does what follows
  clSetUserEventStatus(call->end.get(), status);
}

constexpr const char* kOtherContext = "every handle in a call must come from the same Device";

}  // namespace

OpenclStream::OpenclStream(std::shared_ptr<OpenclDevice> device, Owned<cl_command_queue> queue, Queue whose)
    : device_(std::move(device)), queue_(std::move(queue)), whose_(whose) {}

// A queue outlives its last handle until its work is done. PoCL's threads would then compile and run kernels while the
// program ends and its compiler is taken apart.
OpenclStream::~OpenclStream() {
  if (whose_ == Queue::ours && !device_->is_abandoned()) clFinish(queue_.get());
}

void OpenclStream::synchronize() {
  device_->require_not_abandoned();
  check(clFinish(queue_.get()), "clFinish");
}

std::shared_ptr<EventState> OpenclStream::record(EventKind kind) {
  cl_event event = nullptr;
  check(clEnqueueMarkerWithWaitList(queue_.get(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
  Owned<cl_event> owned(event);
  // Another queue may wait for the event, or the host poll it: it must be on its way.
  check(clFlush(queue_.get()), "clFlush");
  return std::make_shared<OpenclEvent>(device_, std::move(owned), kind);
}

void OpenclStream::wait(EventState& event) {
  cl_event other = state_cast<OpenclEvent>(event, "event").get();
  check(clEnqueueBarrierWithWaitList(queue_.get(), 1, &other, nullptr), "clEnqueueBarrierWithWaitList", kOtherContext);
}

void OpenclStream::write(BufferState& to, std::size_t offset, std::span<const std::byte> from) {
  check(clEnqueueWriteBuffer(queue_.get(), state_cast<OpenclBuffer>(to, "buffer").get(), CL_FALSE, offset, from.size(),
                             from.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer", kOtherContext);
}

void OpenclStream::read(BufferState& from, std::size_t offset, std::span<std::byte> to) {
  check(clEnqueueReadBuffer(queue_.get(), state_cast<OpenclBuffer>(from, "buffer").get(), CL_FALSE, offset, to.size(),
                            to.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer", kOtherContext);
}

void OpenclStream::copy(BufferState& from, std::size_t from_offset, BufferState& to, std::size_t to_offset,
                        std::size_t bytes) {
  check(clEnqueueCopyBuffer(queue_.get(), state_cast<OpenclBuffer>(from, "buffer").get(),
                            state_cast<OpenclBuffer>(to, "buffer").get(), from_offset, to_offset, bytes, 0, nullptr,
                            nullptr),
        "clEnqueueCopyBuffer", kOtherContext);
}

void OpenclStream::write_box(BufferState& to, const BoxLayout& to_layout, const std::byte* from,
                             const BoxLayout& from_layout, const BoxExtent& extent) {
  const Triple target{to_layout.offset, 0, 0};
  const Triple source{from_layout.offset, 0, 0};
  check(clEnqueueWriteBufferRect(queue_.get(), state_cast<OpenclBuffer>(to, "buffer").get(), CL_FALSE, target.data(),
                                 source.data(), region_of(extent).data(), to_layout.row_pitch, to_layout.slice_pitch,
                                 from_layout.row_pitch, from_layout.slice_pitch, from, 0, nullptr, nullptr),
        "clEnqueueWriteBufferRect", kOtherContext);
}

void OpenclStream::read_box(BufferState& from, const BoxLayout& from_layout, std::byte* to, const BoxLayout& to_layout,
                            const BoxExtent& extent) {
  const Triple source{from_layout.offset, 0, 0};
  const Triple target{to_layout.offset, 0, 0};
  check(clEnqueueReadBufferRect(queue_.get(), state_cast<OpenclBuffer>(from, "buffer").get(), CL_FALSE, source.data(),
                                target.data(), region_of(extent).data(), from_layout.row_pitch, from_layout.slice_pitch,
                                to_layout.row_pitch, to_layout.slice_pitch, to, 0, nullptr, nullptr),
        "clEnqueueReadBufferRect", kOtherContext);
}

void OpenclStream::copy_box(BufferState& from, const BoxLayout& from_layout, BufferState& to,
                            const BoxLayout& to_layout, const BoxExtent& extent) {
  const Triple source = place_of(from_layout);
  const Triple target = place_of(to_layout);
  check(clEnqueueCopyBufferRect(queue_.get(), state_cast<OpenclBuffer>(from, "buffer").get(),
                                state_cast<OpenclBuffer>(to, "buffer").get(), source.data(), target.data(),
                                region_of(extent).data(), from_layout.row_pitch, from_layout.slice_pitch,
                                to_layout.row_pitch, to_layout.slice_pitch, 0, nullptr, nullptr),
        "clEnqueueCopyBufferRect", kOtherContext);
}

std::shared_ptr<RecordingState> OpenclStream::capture(const Stream&, const std::function<void()>&) {
  throw lacks(Backend::opencl, "recording of work", "enqueue it again instead");
}

void OpenclStream::fill(BufferState& buffer, std::size_t offset, std::size_t bytes,
                        std::span<const std::byte> pattern) {
  check(clEnqueueFillBuffer(queue_.get(), state_cast<OpenclBuffer>(buffer, "buffer").get(), pattern.data(),
                            pattern.size(), offset, bytes, 0, nullptr, nullptr),
        "clEnqueueFillBuffer", kOtherContext);
}

void OpenclStream::call_on_host(std::function<void()> function) {
  cl_int code = CL_SUCCESS;
  const cl_event end = clCreateUserEvent(device_->context(), &code);
  check(code, "clCreateUserEvent");
  auto call = std::make_unique<HostCall>(HostCall{.function = std::move(function), .end = Owned<cl_event>(end)});
  cl_event marker = nullptr;
  check(clEnqueueMarkerWithWaitList(queue_.get(), 0, nullptr, &marker), "clEnqueueMarkerWithWaitList");
  const Owned<cl_event> begin(marker);
  check(clEnqueueBarrierWithWaitList(queue_.get(), 1, &end, nullptr), "clEnqueueBarrierWithWaitList");
  check(clSetEventCallback(marker, CL_COMPLETE, run_host_call, call.get()), "clSetEventCallback");
  (void)call.release();  // run_host_call deletes it
  check(clFlush(queue_.get()), "clFlush");
}

OpenclEvent::OpenclEvent(std::shared_ptr<OpenclDevice> device, Owned<cl_event> event, EventKind kind)
    : EventState(kind), device_(std::move(device)), event_(std::move(event)) {}

void OpenclEvent::synchronize() {
  device_->require_not_abandoned();
  cl_event event = event_.get();
  check(clWaitForEvents(1, &event), "clWaitForEvents", "a command before it failed");
}

bool OpenclEvent::is_done() {
  cl_int status = CL_QUEUED;
  check(clGetEventInfo(event_.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "clGetEventInfo");
  if (status < 0) check(status, "a command in the stream");
  return status == CL_COMPLETE;
}

cl_ulong OpenclEvent::end_nanoseconds() {
  synchronize();
  cl_ulong time = 0;
  check(clGetEventProfilingInfo(event_.get(), CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
        "clGetEventProfilingInfo");
  return time;
}

double OpenclEvent::seconds_since(EventState& begin) {
  const cl_ulong from = state_cast<OpenclEvent>(begin, "event").end_nanoseconds();
  const cl_ulong to = end_nanoseconds();
  return (static_cast<double>(to) - static_cast<double>(from)) * 1e-9;
}

}  // namespace maxwell_dg::core::opencl
