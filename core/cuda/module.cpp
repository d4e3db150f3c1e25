#include <algorithm>
#include <array>
#include <type_traits>

#include "core/cuda/states.hpp"

namespace maxwell_dg::core::cuda {
namespace {

// What a kernel may ask for at launch before it has been allowed more.
constexpr std::size_t kDefaultDynamicShared = 48 * 1024;

int function_attribute(CUfunction function, CUfunction_attribute what) {
  int value = 0;
  check(driver().cuFuncGetAttribute(&value, what, function), "cuFuncGetAttribute");
  return value;
}

/// An argument's bytes as the driver copies them; a buffer is its address.
union ArgumentBytes {
  CUdeviceptr address;
  std::int32_t i32;
  std::uint32_t u32;
  std::int64_t i64;
  std::uint64_t u64;
  float f32;
  double f64;
};

struct ArgumentPacker {
  ArgumentBytes& to;
  void operator()(const Buffer& buffer) const {
    to.address = buffer ? state_cast<CudaBuffer>(buffer.state(), "buffer").get() : CUdeviceptr{};
  }
  void operator()(std::int32_t value) const { to.i32 = value; }
  void operator()(std::uint32_t value) const { to.u32 = value; }
  void operator()(std::int64_t value) const { to.i64 = value; }
  void operator()(std::uint64_t value) const { to.u64 = value; }
  void operator()(float value) const { to.f32 = value; }
  void operator()(double value) const { to.f64 = value; }
};

std::size_t bytes_of(const KernelArgument& argument) {
  return std::visit(
      []<class T>(const T&) {
        if constexpr (std::is_same_v<T, Buffer>) return sizeof(CUdeviceptr);
        return sizeof(T);
      },
      argument);
}

}  // namespace

CudaModule::CudaModule(std::shared_ptr<CudaDevice> device, std::string name, std::span<const std::byte> binary)
    : device_(std::move(device)), name_(std::move(name)) {
  // PTX is text and must end in a NUL; a cubin does not mind one more byte.
  std::vector<char> image(binary.size() + 1, '\0');
  std::ranges::transform(binary, image.begin(), [](std::byte byte) { return static_cast<char>(byte); });
  std::array<char, 4096> log{};
  std::array options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The driver takes numbers in place of pointers here.
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(log.size()))};
  const ScopedContext current(device_->context());
  current.required();
  const CUresult code = driver().cuModuleLoadDataEx(&module_, image.data(), static_cast<unsigned>(options.size()),
                                                    options.data(), values.data());
  log.back() = '\0';
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_memory(device_->info(), binary.size(), device_->free_bytes());
  check(code, "cuModuleLoadDataEx",
        "module '" + name_ + "' on '" + device_->info().name + "'" +
            (log[0] == '\0' ? "" : std::string(": ") + log.data()));
}

CudaModule::~CudaModule() {
  const ScopedContext current(device_->context());
  if (!current.is_current()) return;
  driver().cuCtxSynchronize();  // a kernel of the module may still be running
  driver().cuModuleUnload(module_);
}

std::shared_ptr<KernelState> CudaModule::kernel(const std::string& name) {
  const ScopedContext current(device_->context());
  current.required();
  CUfunction function = nullptr;
  const CUresult code = driver().cuModuleGetFunction(&function, module_, name.c_str());
  if (code == CUDA_ERROR_NOT_FOUND) {
    throw DeviceError("module '" + name_ + "' has no kernel '" + name + "' (is it declared extern \"C\"?)");
  }
  check(code, "cuModuleGetFunction", "kernel '" + name + "' of module '" + name_ + "'");
  return std::make_shared<CudaKernel>(shared_from_this(), name, function);
}

CudaKernel::CudaKernel(std::shared_ptr<CudaModule> module, std::string name, CUfunction function)
    : KernelState(std::move(name)),
      module_(std::move(module)),
      function_(function),
      limits_(module_->device().limits()),
      allowed_shared_bytes_(kDefaultDynamicShared) {
  const ScopedContext current(module_->device().context());
  current.required();
  limits_.group_items =
      static_cast<std::size_t>(function_attribute(function_, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  const auto shared = static_cast<std::size_t>(function_attribute(function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  allowed_shared_bytes_ -= std::min(allowed_shared_bytes_, shared);
  if (driver().cuFuncGetParamInfo == nullptr) return;
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
  const ScopedContext current(module_->device().context());
  current.required();
  return {.registers = function_attribute(function_, CU_FUNC_ATTRIBUTE_NUM_REGS),
          .shared_bytes = static_cast<std::size_t>(function_attribute(function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)),
          .local_bytes = static_cast<std::size_t>(function_attribute(function_, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)),
          .max_group_size = limits_.group_items};
}

void CudaKernel::check_arguments(std::span<const KernelArgument> arguments) const {
  if (!knows_parameters_) return;
  if (arguments.size() != parameter_bytes_.size()) {
    throw DeviceError("kernel '" + name() + "' takes " + std::to_string(parameter_bytes_.size()) + " arguments, " +
                      std::to_string(arguments.size()) + " were given");
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (bytes_of(arguments[i]) != parameter_bytes_[i]) {
      throw DeviceError("kernel '" + name() + "', argument " + std::to_string(i) + ": its type or size is wrong; " +
                        std::to_string(parameter_bytes_[i]) + " bytes are taken, " +
                        std::to_string(bytes_of(arguments[i])) + " were given");
    }
  }
}

void CudaKernel::allow_dynamic_shared(std::size_t bytes) {
  const std::lock_guard lock(shared_mutex_);
  if (bytes <= allowed_shared_bytes_) return;
  check(
      driver().cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(bytes)),
      "cuFuncSetAttribute",
      "kernel '" + name() + "' asks for " + std::to_string(bytes) + " bytes of shared memory; a group may have " +
          std::to_string(module_->device().info().shared_memory_bytes));
  allowed_shared_bytes_ = bytes;
}

void CudaKernel::launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) {
  check_arguments(arguments);
  std::vector<ArgumentBytes> bytes(arguments.size());
  std::vector<void*> pointers(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::visit(ArgumentPacker{bytes[i]}, arguments[i]);
    pointers[i] = &bytes[i];
  }
  const CUstream queue = state_cast<CudaStream>(stream, "stream").get();
  const ScopedContext current(module_->device().context());
  current.required();
  if (shape.dynamic_shared_bytes != 0) allow_dynamic_shared(shape.dynamic_shared_bytes);
  const auto narrow = [](std::size_t value) { return static_cast<unsigned>(value); };  // within limits(), as checked
  const CUresult code =
      driver().cuLaunchKernel(function_, narrow(shape.groups[0]), narrow(shape.groups[1]), narrow(shape.groups[2]),
                              narrow(shape.group_size[0]), narrow(shape.group_size[1]), narrow(shape.group_size[2]),
                              narrow(shape.dynamic_shared_bytes), queue, pointers.data(), nullptr);
  if (code != CUDA_SUCCESS) check(code, "cuLaunchKernel", "kernel '" + name() + "'");
}

}  // namespace maxwell_dg::core::cuda
