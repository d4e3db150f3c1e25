#include <algorithm>
#include <array>

#include "core/cuda/states.hpp"

namespace maxwell_dg::core::cuda {

CudaModule::CudaModule(std::shared_ptr<CudaDevice> device, std::string name, std::span<const std::byte> binary)
    : device_(std::move(device)), name_(std::move(name)) {
  // PTX is text and must end in a NUL; a cubin does not mind one more byte.
  std::vector<char> image(binary.size() + 1, '\0');
  std::ranges::transform(binary, image.begin(), [](std::byte byte) { return static_cast<char>(byte); });
  std::array<char, 4096> log{};
  std::array options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The driver takes numbers in place of pointers here.
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(log.size()))};
  const Current current(*device_);
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
  const Current current(*device_);
  CUfunction function = nullptr;
  const CUresult code = driver().cuModuleGetFunction(&function, module_, name.c_str());
  if (code == CUDA_ERROR_NOT_FOUND) {
    throw DeviceError("module '" + name_ + "' has no kernel '" + name + "' (is it declared extern \"C\"?)");
  }
  check(code, "cuModuleGetFunction", "kernel '" + name + "' of module '" + name_ + "'");
  return std::make_shared<CudaKernel>(shared_from_this(), name, function);
}

std::shared_ptr<BufferState> CudaModule::global(const std::string& name) {
  const Current current(*device_);
  CUdeviceptr address{};
  std::size_t bytes = 0;
  const CUresult code = driver().cuModuleGetGlobal_v2(&address, &bytes, module_, name.c_str());
  if (code == CUDA_ERROR_NOT_FOUND) {
    throw DeviceError("module '" + name_ + "' has no variable '" + name + "' (is it declared extern \"C\", and used?)");
  }
  check(code, "cuModuleGetGlobal", "variable '" + name + "' of module '" + name_ + "'");
  return std::make_shared<CudaBuffer>(device_, bytes, address, shared_from_this());
}

}  // namespace maxwell_dg::core::cuda
