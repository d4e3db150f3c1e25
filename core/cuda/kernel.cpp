#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "core/cuda/states.hpp"

namespace maxwell_dg::core::cuda {
namespace {

// What a kernel may ask for at launch before it has been allowed more.
constexpr std::size_t default_dynamic_shared = 48 * 1024;

int function_attribute(CUfunction function, CUfunction_attribute what) {
  int value = 0;
  check(driver().cuFuncGetAttribute(&value, what, function), "cuFuncGetAttribute");
  return value;
}

/// Where the driver finds an argument's bytes: a scalar's in the argument itself, a buffer's address in `address`.
struct ArgumentLocation {
  CUdeviceptr& address;
  const void* operator()(const Buffer& buffer) const {
    address = buffer ? state_cast<CudaBuffer>(buffer.state(), "buffer").get() : CUdeviceptr{};
    return &address;
  }
  const void* operator()(const StructArgument& value) const { return value.bytes().data(); }
  template <class Scalar>
  const void* operator()(const Scalar& value) const {
    return &value;
  }
};

/// Arguments as the driver takes them. The driver copies what the pointers show before it returns, and writes nothing.
class Parameters {
 public:
  explicit Parameters(std::span<const KernelArgument> arguments)
      : addresses_(arguments.size()), pointers_(arguments.size()) {
    for (std::size_t i = 0; i < arguments.size(); ++i) set(i, arguments[i]);
  }
  void set(std::size_t index, const KernelArgument& argument) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the driver only reads
    pointers_[index] = const_cast<void*>(std::visit(ArgumentLocation{addresses_[index]}, argument));
  }
  [[nodiscard]] void** data() { return pointers_.data(); }

 private:
  std::vector<CUdeviceptr> addresses_;
  std::vector<void*> pointers_;
};

class CudaPrepared final : public PreparedState {
 public:
  CudaPrepared(std::shared_ptr<CudaKernel> kernel, const LaunchShape& shape, std::span<const KernelArgument> arguments)
      : kernel_(std::move(kernel)),
        shape_(shape),
        arguments_(arguments.begin(), arguments.end()),
        parameters_(arguments_) {}
  void set(std::size_t index, const KernelArgument& argument) override {
    if (index >= arguments_.size()) throw wrong_index(kernel_->name(), index, arguments_.size());
    kernel_->check_argument(index, argument);
    arguments_[index] = argument;
    parameters_.set(index, arguments_[index]);
  }
  void launch(StreamState& stream) override {
    kernel_->enqueue(state_cast<CudaStream>(stream, "stream"), shape_, parameters_.data());
  }

 private:
  std::shared_ptr<CudaKernel> kernel_;
  LaunchShape shape_;
  std::vector<KernelArgument> arguments_;  // what the parameters point to; keeps the buffers
  Parameters parameters_;
};

/// Two events around a launch, whose times go to the trace when they have been passed.
class TracedLaunch {
 public:
  explicit TracedLaunch(CudaStream& stream) : stream_(stream) {
    if (!trace::is_active() || !trace::wants_kernels()) return;
    const trace::Pause pause;
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    check(driver().cuStreamIsCapturing(stream.get(), &capture), "cuStreamIsCapturing");
    if (capture != CU_STREAM_CAPTURE_STATUS_NONE) return;  // events of a graph have no times
    clock_ = stream.device()->trace_clock();
    begin_ = stream.record(EventKind::timing);
  }

  void finish(const std::string& name) {
    if (begin_ == nullptr) return;
    const trace::Pause pause;
    trace::add_pending([name, clock = clock_, begin = begin_, end = stream_.record(EventKind::timing),
                        device = stream_.device(), stream = stream_.raw()](bool wait) {
      if (!wait && !end->is_done()) return false;
      end->synchronize();
      const auto since_clock = [&](EventState& event) {
        float milliseconds = 0.0F;
        check(driver().cuEventElapsedTime(&milliseconds, clock.event, static_cast<CudaEvent&>(event).get()),
              "cuEventElapsedTime");
        return clock.host + static_cast<double>(milliseconds) * 1e3;
      };
      const Current current(*device);
      trace::write_kernel(name, stream, since_clock(*begin), since_clock(*end));
      return true;
    });
  }

 private:
  CudaStream& stream_;
  CudaDevice::Clock clock_;
  std::shared_ptr<EventState> begin_;
};

/// What the driver is to know of a launch beside its shape.
std::optional<CUlaunchAttribute> attribute_of(LaunchKind kind, const DeviceInfo& device) {
  CUlaunchAttribute attribute{};
  if (kind == LaunchKind::cooperative) {
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    return attribute;
  }
  if (kind == LaunchKind::overlapping && device.cuda_architecture() >= 90) {
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    return attribute;
  }
  return std::nullopt;
}

unsigned narrow(std::size_t value) {
  return static_cast<unsigned>(value);  // within limits(), as checked
}

}  // namespace

CudaKernel::CudaKernel(std::shared_ptr<CudaModule> module, std::string name, CUfunction function)
    : KernelState(std::move(name)),
      module_(std::move(module)),
      function_(function),
      limits_(device().limits()),
      allowed_shared_bytes_(default_dynamic_shared) {
  const Current current(device());
  limits_.group_items =
      static_cast<std::size_t>(function_attribute(function_, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  const auto shared = static_cast<std::size_t>(function_attribute(function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  allowed_shared_bytes_ -= std::min(allowed_shared_bytes_, shared);
  if (driver().cuFuncGetParamInfo.get() == nullptr) return;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  CUresult code = CUDA_SUCCESS;
  while ((code = driver().cuFuncGetParamInfo(function_, parameter_bytes_.size(), &offset, &bytes)) == CUDA_SUCCESS) {
    parameter_bytes_.push_back(bytes);
  }
  // This is how it says that there are no more; anything else, that it cannot tell.
  knows_parameters_ = code == CUDA_ERROR_INVALID_VALUE;
}

KernelAttributes CudaKernel::attributes() {
  const Current current(device());
  return {.registers = function_attribute(function_, CU_FUNC_ATTRIBUTE_NUM_REGS),
          .shared_bytes = static_cast<std::size_t>(function_attribute(function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)),
          .local_bytes = static_cast<std::size_t>(function_attribute(function_, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)),
          .max_group_size = limits_.group_items,
          .group_size_multiple = static_cast<std::size_t>(device().info().warp_size)};
}

std::size_t CudaKernel::suggested_group_size(std::size_t dynamic_shared_bytes) {
  const Current current(device());
  if (dynamic_shared_bytes != 0) allow_dynamic_shared(dynamic_shared_bytes);
  int groups = 0;
  int size = 0;
  check(driver().cuOccupancyMaxPotentialBlockSize(&groups, &size, function_, nullptr, dynamic_shared_bytes, 0),
        "cuOccupancyMaxPotentialBlockSize", "kernel '" + name() + "'");
  return static_cast<std::size_t>(size);
}

void CudaKernel::check_argument(std::size_t index, const KernelArgument& argument) const {
  if (!knows_parameters_ || size_of(argument) == parameter_bytes_[index]) return;
  throw DeviceError("kernel '" + name() + "', argument " + std::to_string(index) + ": its type or size is wrong; " +
                    std::to_string(parameter_bytes_[index]) + " bytes are taken, " + describe(argument) + " was given");
}

void CudaKernel::check_arguments(std::span<const KernelArgument> arguments) const {
  if (!knows_parameters_) return;
  if (arguments.size() != parameter_bytes_.size()) {
    throw DeviceError("kernel '" + name() + "' takes " + std::to_string(parameter_bytes_.size()) + " arguments, " +
                      std::to_string(arguments.size()) + " were given");
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) check_argument(i, arguments[i]);
}

void CudaKernel::allow_dynamic_shared(std::size_t bytes) {
  const std::lock_guard lock(shared_mutex_);
  if (bytes <= allowed_shared_bytes_) return;
  const std::size_t most = device().info().shared_memory_bytes;
  const std::string refusal = "kernel '" + name() + "' asks for " + std::to_string(bytes) +
                              " bytes of shared memory; a group may have " + std::to_string(most);
  if (bytes > most) throw DeviceError(refusal);  // before the number is narrowed for the driver
  const Current current(device());
  check(
      driver().cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(bytes)),
      "cuFuncSetAttribute", refusal);
  allowed_shared_bytes_ = bytes;
}

void CudaKernel::enqueue(CudaStream& stream, const LaunchShape& shape, void** parameters) const {
  const Current current(device());
  TracedLaunch traced(stream);
  auto attribute = attribute_of(shape.kind, device().info());
  const CUlaunchConfig config{.gridDimX = narrow(shape.groups[0]),
                              .gridDimY = narrow(shape.groups[1]),
                              .gridDimZ = narrow(shape.groups[2]),
                              .blockDimX = narrow(shape.group_size[0]),
                              .blockDimY = narrow(shape.group_size[1]),
                              .blockDimZ = narrow(shape.group_size[2]),
                              .sharedMemBytes = narrow(shape.dynamic_shared_bytes),
                              .hStream = stream.get(),
                              .attrs = attribute ? &*attribute : nullptr,
                              .numAttrs = attribute ? 1U : 0U};
  const CUresult code = driver().cuLaunchKernelEx(&config, function_, parameters, nullptr);
  if (code != CUDA_SUCCESS) check(code, driver().cuLaunchKernelEx.name(), "kernel '" + name() + "'");
  traced.finish(name());
}

void CudaKernel::launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) {
  check_arguments(arguments);
  Parameters parameters(arguments);
  if (shape.dynamic_shared_bytes != 0) allow_dynamic_shared(shape.dynamic_shared_bytes);
  enqueue(state_cast<CudaStream>(stream, "stream"), shape, parameters.data());
}

std::unique_ptr<PreparedState> CudaKernel::prepare(const LaunchShape& shape,
                                                   std::span<const KernelArgument> arguments) {
  check_arguments(arguments);
  if (shape.dynamic_shared_bytes != 0) allow_dynamic_shared(shape.dynamic_shared_bytes);
  return std::make_unique<CudaPrepared>(std::static_pointer_cast<CudaKernel>(shared_from_this()), shape, arguments);
}

}  // namespace maxwell_dg::core::cuda
