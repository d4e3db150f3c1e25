#include "core/opencl/profiling.hpp"

#include "core/opencl/of_opencl.hpp"

namespace maxwell_dg::core::opencl {
namespace {

constexpr const char* kProfiling = "events that span a command";

}  // namespace

Event launch_with_event(const Kernel& kernel, const Stream& stream, const LaunchShape& shape,
                        std::span<const KernelArgument> arguments) {
  auto& function = of_opencl<OpenclKernel>(kernel.state(), kProfiling);
  check_shape(function, shape);
  if (shape.groups[0] * shape.groups[1] * shape.groups[2] == 0) return stream.record();
  Owned<cl_event> event = function.launch_with_event(stream.state(), shape, arguments);
  return Event(std::make_shared<OpenclEvent>(function.device(), std::move(event), EventKind::timing));
}

CommandTimes times_of(const Event& event) {
  auto& state = of_opencl<OpenclEvent>(event.state(), kProfiling);
  state.synchronize();
  const auto nanoseconds = [&](cl_profiling_info what) {
    cl_ulong time = 0;
    check(clGetEventProfilingInfo(state.get(), what, sizeof time, &time, nullptr), "clGetEventProfilingInfo");
    return time;
  };
  const cl_ulong queued = nanoseconds(CL_PROFILING_COMMAND_QUEUED);
  const auto seconds = [&](cl_profiling_info what) { return static_cast<double>(nanoseconds(what) - queued) * 1e-9; };
  return {.submitted = seconds(CL_PROFILING_COMMAND_SUBMIT),
          .started = seconds(CL_PROFILING_COMMAND_START),
          .ended = seconds(CL_PROFILING_COMMAND_END)};
}

}  // namespace maxwell_dg::core::opencl
