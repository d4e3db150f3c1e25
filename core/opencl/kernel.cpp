#include <algorithm>
#include <array>

#include "core/opencl/states.hpp"

namespace maxwell_dg::core::opencl {
namespace {

// Sets one argument; the size is what the kernel's own declaration is checked against.
struct ArgumentSetter {
  cl_kernel kernel;
  cl_uint index;
  cl_int operator()(const Buffer& buffer) const {
    cl_mem memory = buffer ? state_cast<OpenclBuffer>(buffer.state(), "buffer").get() : nullptr;
    return clSetKernelArg(kernel, index, sizeof(cl_mem), &memory);
  }
  cl_int operator()(const StructArgument& value) const {
    return clSetKernelArg(kernel, index, value.bytes().size(), value.bytes().data());
  }
  template <class Scalar>
  cl_int operator()(const Scalar& value) const {
    return clSetKernelArg(kernel, index, sizeof value, &value);
  }
};

struct ArgumentKind {
  ParameterKind operator()(const Buffer&) const { return ParameterKind::pointer; }
  ParameterKind operator()(const StructArgument&) const { return ParameterKind::value; }
  template <class Scalar>
  ParameterKind operator()(const Scalar&) const {
    if (std::is_integral_v<Scalar>) return ParameterKind::integer;
    return std::is_floating_point_v<Scalar> ? ParameterKind::real : ParameterKind::value;
  }
};

/// Has the times of a launched kernel written to the trace once it is done. The device's clock and the host's are told
/// apart by the moment at which the kernel was queued, which is now.
void trace_kernel(const std::string& name, std::uintptr_t stream, Owned<cl_event> event,
                  std::shared_ptr<OpenclDevice> device) {
  trace::add_pending([name, stream, queued = trace::now(), device = std::move(device),
                      event = std::shared_ptr<_cl_event>(std::move(event))](bool wait) {
    cl_event raw = event.get();
    if (wait) device->require_not_abandoned();
    if (wait) check(clWaitForEvents(1, &raw), "clWaitForEvents");
    cl_int status = CL_QUEUED;
    check(clGetEventInfo(raw, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
    check(status < 0 ? status : CL_SUCCESS, "a kernel");
    if (status != CL_COMPLETE) return false;
    const auto nanoseconds = [&](cl_profiling_info what) {
      cl_ulong time = 0;
      check(clGetEventProfilingInfo(raw, what, sizeof time, &time, nullptr), "clGetEventProfilingInfo");
      return static_cast<double>(time);
    };
    const double origin = nanoseconds(CL_PROFILING_COMMAND_QUEUED);
    const auto on_host = [&](cl_profiling_info what) { return queued + (nanoseconds(what) - origin) * 1e-3; };
    trace::write_kernel(name, stream, on_host(CL_PROFILING_COMMAND_START), on_host(CL_PROFILING_COMMAND_END));
    return true;
  });
}

/// A cl_kernel of its own with its arguments set.
class OpenclPrepared final : public PreparedState {
 public:
  OpenclPrepared(std::shared_ptr<const OpenclKernel> kernel, Owned<cl_kernel> copy, const LaunchShape& shape,
                 std::span<const KernelArgument> arguments)
      : kernel_(std::move(kernel)), copy_(std::move(copy)), shape_(shape), arguments_(arguments.size()) {
    for (std::size_t i = 0; i < arguments.size(); ++i) OpenclPrepared::set(i, arguments[i]);
  }
  void set(std::size_t index, const KernelArgument& argument) override {
    if (index >= arguments_.size()) throw wrong_index(kernel_->name(), index, arguments_.size());
    kernel_->set_argument(copy_.get(), index, argument);
    arguments_[index] = argument;
  }
  void launch(StreamState& stream) override { kernel_->enqueue(copy_.get(), stream, shape_, nullptr); }

 private:
  std::shared_ptr<const OpenclKernel> kernel_;
  Owned<cl_kernel> copy_;
  LaunchShape shape_;
  std::vector<KernelArgument> arguments_;  // keeps their buffers
};

}  // namespace

OpenclKernel::OpenclKernel(std::shared_ptr<const OpenclModule> module, std::string name, Owned<cl_kernel> kernel,
                           Signature signature)
    : KernelState(std::move(name)),
      module_(std::move(module)),
      kernel_(std::move(kernel)),
      signature_(std::move(signature)),
      limits_(device()->limits()) {
  limits_.group_items = attributes().max_group_size;
}

KernelAttributes OpenclKernel::attributes() {
  const auto query = [&]<class T>(cl_kernel_work_group_info what, T value) {
    check(clGetKernelWorkGroupInfo(kernel_.get(), device()->id(), what, sizeof value, &value, nullptr),
          "clGetKernelWorkGroupInfo");
    return static_cast<std::size_t>(value);
  };
  return {.registers = 0,
          .shared_bytes = query(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{}),
          .local_bytes = query(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong{}),
          .max_group_size = query(CL_KERNEL_WORK_GROUP_SIZE, std::size_t{}),
          .group_size_multiple = query(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, std::size_t{})};
}

std::size_t OpenclKernel::suggested_group_size(std::size_t dynamic_shared_bytes) {
  if (dynamic_shared_bytes != 0) check_launch({.dynamic_shared_bytes = dynamic_shared_bytes}, signature_.size());
  // Large enough to hide latency, in whole multiples of what the driver prefers.
  constexpr std::size_t wanted = 256;
  const KernelAttributes known = attributes();
  const std::size_t multiple = std::max<std::size_t>(known.group_size_multiple, 1);
  const std::size_t most = std::min(known.max_group_size, limits_.group_size[0]);
  if (multiple > most) return most;
  return std::min(std::max(wanted / multiple, std::size_t{1}), most / multiple) * multiple;
}

void OpenclKernel::set_argument(cl_kernel kernel, std::size_t index, const KernelArgument& argument) const {
  const auto wrong = [&] {
    return "kernel '" + name() + "', argument " + std::to_string(index) + ": its type or size is wrong; ";
  };
  const ParameterKind taken = signature_[index];
  const ParameterKind given = std::visit(ArgumentKind{}, argument);
  // What the kernel calls by a name of its own may be any value, but never a pointer.
  const bool fits = taken == given || taken == ParameterKind::unknown ||
                    (taken == ParameterKind::value && given != ParameterKind::pointer) ||
                    (given == ParameterKind::value && taken != ParameterKind::pointer);
  if (!fits) throw DeviceError(wrong() + words_of(taken) + " is taken, " + describe(argument) + " was given");
  const cl_int code = std::visit(ArgumentSetter{kernel, static_cast<cl_uint>(index)}, argument);
  if (code != CL_SUCCESS) check(code, "clSetKernelArg", wrong() + describe(argument) + " was given");
}

void OpenclKernel::check_launch(const LaunchShape& shape, std::size_t arguments) const {
  const std::string where = "kernel '" + name() + "'";
  if (shape.dynamic_shared_bytes != 0) {
    throw UnsupportedFeature(where + ": OpenCL has no dynamic shared memory; declare it in the kernel");
  }
  if (shape.kind == LaunchKind::cooperative) {
    throw UnsupportedFeature(where + ": OpenCL has no cooperative launch; split the kernel where its groups wait");
  }
  for (std::size_t d = 0; d < 3; ++d) {
    std::size_t items = 0;
    if (!__builtin_mul_overflow(shape.groups[d], shape.group_size[d], &items)) continue;
    throw DeviceError(where + ": " + std::to_string(shape.groups[d]) + " groups of " +
                      std::to_string(shape.group_size[d]) + " work-items in dimension " + std::to_string(d) +
                      " are more than can be counted");
  }
  if (arguments != signature_.size()) {
    throw DeviceError(where + " takes " + std::to_string(signature_.size()) + " arguments, " +
                      std::to_string(arguments) + " were given");
  }
}

void OpenclKernel::enqueue(cl_kernel kernel, StreamState& stream, const LaunchShape& shape,
                           Owned<cl_event>* event) const {
  cl_command_queue queue = state_cast<OpenclStream>(stream, "stream").get();
  std::array<std::size_t, 3> items{};
  for (std::size_t d = 0; d < 3; ++d) items[d] = shape.groups[d] * shape.group_size[d];
  const bool traced = trace::is_active() && trace::wants_kernels();
  cl_event raw = nullptr;
  const cl_int code = clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, items.data(), shape.group_size.data(), 0,
                                             nullptr, traced || event != nullptr ? &raw : nullptr);
  if (code != CL_SUCCESS) check(code, "clEnqueueNDRangeKernel", "kernel '" + name() + "'");
  Owned<cl_event> mine(raw);
  if (event != nullptr) {
    if (traced) check(clRetainEvent(raw), "clRetainEvent");  // one reference for the caller, one for the trace
    event->reset(traced ? raw : mine.release());
  }
  if (traced) trace_kernel(name(), stream.raw(), std::move(mine), device());
}

void OpenclKernel::set_and_enqueue(StreamState& stream, const LaunchShape& shape,
                                   std::span<const KernelArgument> arguments, Owned<cl_event>* event) {
  check_launch(shape, arguments.size());
  const std::lock_guard lock(arguments_mutex_);
  for (std::size_t i = 0; i < arguments.size(); ++i) set_argument(kernel_.get(), i, arguments[i]);
  enqueue(kernel_.get(), stream, shape, event);
}

void OpenclKernel::launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) {
  set_and_enqueue(stream, shape, arguments, nullptr);
}

Owned<cl_event> OpenclKernel::launch_with_event(StreamState& stream, const LaunchShape& shape,
                                                std::span<const KernelArgument> arguments) {
  Owned<cl_event> event;
  set_and_enqueue(stream, shape, arguments, &event);
  return event;
}

std::unique_ptr<PreparedState> OpenclKernel::prepare(const LaunchShape& shape,
                                                     std::span<const KernelArgument> arguments) {
  check_launch(shape, arguments.size());
  return std::make_unique<OpenclPrepared>(std::static_pointer_cast<const OpenclKernel>(shared_from_this()),
                                          module_->create_kernel(name()), shape, arguments);
}

}  // namespace maxwell_dg::core::opencl
