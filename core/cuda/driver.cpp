#include "core/cuda/driver.hpp"

#include <atomic>
#include <memory>

#include <dlfcn.h>

namespace maxwell_dg::core::cuda {
namespace {

// The table once it is whole; the trace asks it for the names of codes.
std::atomic<const Driver*> loaded{nullptr};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/// Fills the table; an empty string, or what is missing.
std::string resolve(void* library, Driver& table) {
  std::string missing;
  const auto find = [&](auto& entry) {
    void* address = dlsym(library, entry.name());
    entry.set(reinterpret_cast<decltype(entry.get())>(address));
    return address != nullptr;
  };
  const auto require = [&](auto& entry) {
    if (!find(entry)) missing += std::string(missing.empty() ? "" : ", ") + entry.name();
  };
#define MAXWELL_DG_RESOLVE(name) require(table.name);
  MAXWELL_DG_CUDA_CALLS(MAXWELL_DG_RESOLVE)
#undef MAXWELL_DG_RESOLVE
#define MAXWELL_DG_RESOLVE(name, ...) find(table.name);
  MAXWELL_DG_CUDA_OPTIONAL_CALLS(MAXWELL_DG_RESOLVE)
#undef MAXWELL_DG_RESOLVE
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
  loaded = table.get();
  return {table.release(), {}};
}

const char* remedy_of(CUresult code) {
  switch (code) {
    case CUDA_ERROR_OUT_OF_MEMORY: return "use less memory, or free what is not needed";
    case CUDA_ERROR_DEINITIALIZED: return "the driver has shut down, because the program is ending";
    case CUDA_ERROR_INVALID_DEVICE: return "see which devices list_devices() finds";
    case CUDA_ERROR_DEVICE_UNAVAILABLE: return "another process holds the device exclusively";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: return "use a smaller group: registers or shared memory do not suffice";
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
      return "use fewer groups: those of a cooperative launch must all fit on the device at once";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE: return "the binary was made for another device or by a newer compiler";
    case CUDA_ERROR_INVALID_PTX: return "the PTX is no valid text, or for a newer device than this one";
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION: return "NVRTC is newer than the driver; update the NVIDIA driver";
    case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: return "the devices cannot reach each other; copy through the host";
    case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED: return "this memory is page-locked already";
    case CUDA_ERROR_NOT_SUPPORTED: return "this device or its driver does not have it";
    case CUDA_ERROR_INVALID_HANDLE: return "the object is gone, or every handle must come from the same Device";
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: return "this cannot be recorded in a graph; do it before the capture";
    default: return "";
  }
}

/// The cause of a fault, for the user; empty for other codes.
const char* fault_cause(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_LAUNCH_FAILED:
      return "a kernel launched before touched memory that is not its own; find it with compute-sanitizer";
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_HARDWARE_STACK_ERROR: return "a kernel launched before crashed";
    case CUDA_ERROR_ASSERT: return "an assert() in a kernel failed; its message stands on stdout";
    case CUDA_ERROR_LAUNCH_TIMEOUT: return "a kernel ran longer than the display driver allows; split it";
    case CUDA_ERROR_ECC_UNCORRECTABLE: return "the device's memory is damaged";
    case CUDA_ERROR_CONTEXT_IS_DESTROYED: return "a kernel faulted or did not end before, or the context was reset";
    default: return "";
  }
}

// What is left to do after a fault depends on who meets it: somebody with handles of the lost context, or somebody who
// opens the device anew and is refused.
constexpr const char* kContextIsLost =
    "the context is lost with everything in it: drop its handles and open the device again, or start the program again "
    "where the driver refuses that";
constexpr const char* kProcessIsLost = "the driver lets this process use the device no more: start the program again";

std::string joined(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : "; ") + second;
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

std::string CudaResult::text(CUresult code) {
  const char* name = nullptr;
  if (const Driver* table = loaded) table->cuGetErrorName.get()(code, &name);
  return name == nullptr ? std::to_string(static_cast<int>(code)) : name;
}

bool is_fault(CUresult code) {
  return *fault_cause(code) != '\0';
}

namespace {

[[noreturn]] void fail(CUresult code, const char* call, const std::string& remedy, const char* after_fault) {
  const char* meaning = nullptr;
  driver().cuGetErrorString(code, &meaning);
  const bool fault = is_fault(code);
  DriverError::Failure failure{
      .api = "CUDA",
      .call = call,
      .code = static_cast<int>(code),
      .name = CudaResult::text(code),
      .meaning = meaning == nullptr ? "" : meaning,
      .remedy = fault ? joined(fault_cause(code), after_fault) : joined(remedy, remedy_of(code))};
  if (fault) throw ContextLost(std::move(failure));
  DriverError error(std::move(failure));
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfDeviceMemory(error.what());
  throw error;
}

}  // namespace

void check(CUresult code, const char* call, const std::string& remedy) {
  if (code != CUDA_SUCCESS) fail(code, call, remedy, kContextIsLost);
}

void check_opening(CUresult code, const char* call, const std::string& remedy) {
  if (code != CUDA_SUCCESS) fail(code, call, remedy, kProcessIsLost);
}

}  // namespace maxwell_dg::core::cuda
