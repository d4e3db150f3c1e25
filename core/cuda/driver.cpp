#include "core/cuda/driver.hpp"

#include <memory>

#include <dlfcn.h>

namespace maxwell_dg::core::cuda {
namespace {

/// Fills the table; an empty string, or what is missing.
std::string resolve(void* library, Driver& table) {
  std::string missing;
  const auto find = [&](auto& entry, const char* symbol) {
    void* address = dlsym(library, symbol);
    if (address == nullptr) missing += std::string(missing.empty() ? "" : ", ") + symbol;
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(address);
  };
#define MAXWELL_DG_RESOLVE(name) find(table.name, #name);
  MAXWELL_DG_CUDA_CALLS(MAXWELL_DG_RESOLVE)
#undef MAXWELL_DG_RESOLVE
  table.cuFuncGetParamInfo = reinterpret_cast<decltype(table.cuFuncGetParamInfo)>(dlsym(library, "cuFuncGetParamInfo"));
  return missing;
}

DriverState load_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, "no CUDA driver is installed (libcuda.so.1 is not found)"};
  auto table = std::make_unique<Driver>();
  if (const std::string missing = resolve(library, *table); !missing.empty()) {
    return {nullptr, "the CUDA driver is too old: libcuda.so.1 lacks " + missing + "; update the NVIDIA driver"};
  }
  if (const CUresult code = table->cuInit(0); code != CUDA_SUCCESS) {
    const char* name = nullptr;
    table->cuGetErrorName(code, &name);
    return {nullptr, "the CUDA driver does not start: cuInit says " +
                         std::string(name == nullptr ? "an unknown error" : name) + " (" +
                         std::to_string(static_cast<int>(code)) + ")"};
  }
  return {table.release(), {}};
}

const char* remedy_of(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
      return "a kernel launched before touched memory that is not its own; find it with compute-sanitizer";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: return "use a smaller group: registers or shared memory do not suffice";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE: return "the binary was made for another device or by a newer compiler";
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION: return "NVRTC is newer than the driver; update the NVIDIA driver";
    case CUDA_ERROR_ECC_UNCORRECTABLE: return "the device's memory is damaged";
    default: return "";
  }
}

}  // namespace

const DriverState& driver_state() {
  // Left to the end of the process on purpose: static handles of the program may be released after any static here.
  static const DriverState* const state = new DriverState(load_driver());
  return *state;
}

const Driver& driver() {
  const DriverState& state = driver_state();
  if (state.driver == nullptr) throw DeviceError("CUDA: " + state.absence);
  return *state.driver;
}

int driver_version() {
  const DriverState& state = driver_state();
  int version = 0;
  if (state.driver != nullptr) check(state.driver->cuDriverGetVersion(&version), "cuDriverGetVersion");
  return version;
}

std::string error_text(CUresult code) {
  const char* name = nullptr;
  const char* text = nullptr;
  driver().cuGetErrorName(code, &name);
  driver().cuGetErrorString(code, &text);
  return std::string(name == nullptr ? "unknown error" : name) + " (" + std::to_string(static_cast<int>(code)) + ")" +
         (text == nullptr ? "" : std::string(": ") + text);
}

void check(CUresult code, const char* call, const std::string& remedy) {
  if (code == CUDA_SUCCESS) return;
  const std::string known = remedy_of(code);
  throw DeviceError(std::string("CUDA: ") + call + " failed with " + error_text(code) +
                    (remedy.empty() ? "" : "; " + remedy) + (known.empty() ? "" : "; " + known));
}

ScopedContext::ScopedContext(CUcontext context) {
  CUcontext current = nullptr;
  code_ = driver().cuCtxGetCurrent(&current);
  if (code_ != CUDA_SUCCESS || current == context) return;
  code_ = driver().cuCtxPushCurrent_v2(context);
  pushed_ = code_ == CUDA_SUCCESS;
}

ScopedContext::~ScopedContext() {
  CUcontext popped = nullptr;
  if (pushed_) driver().cuCtxPopCurrent_v2(&popped);
}

const ScopedContext& ScopedContext::required() const {
  check(code_, "cuCtxPushCurrent");
  return *this;
}

}  // namespace maxwell_dg::core::cuda
