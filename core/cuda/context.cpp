#include "core/cuda/context.hpp"

#include <array>
#include <atomic>

namespace maxwell_dg::core::cuda {
namespace {

/// How often this process has reset each device's primary context.
std::atomic<unsigned>& resets_of(CUdevice device) {
  constexpr std::size_t most_devices = 256;
  static std::array<std::atomic<unsigned>, most_devices> counts{};
  return counts.at(static_cast<std::size_t>(device));
}

/// What the legacy default stream says: the fault, if there was one.
CUresult health_of(CUcontext context) {
  CUresult code = driver().cuCtxPushCurrent_v2(context);
  if (code != CUDA_SUCCESS) return code;
  code = driver().cuStreamQuery(nullptr);
  CUcontext popped = nullptr;
  driver().cuCtxPopCurrent_v2(&popped);
  return code;
}

/// After a fault the reset is tried whatever came before it: there are faults and drivers after which it helps.
CUcontext retain_primary(CUdevice device) {
  CUcontext context = nullptr;
  const auto retain = [&] { return driver().cuDevicePrimaryCtxRetain(&context, device); };
  const CUresult retained = retain();
  if (retained == CUDA_SUCCESS) {
    if (!is_fault(health_of(context))) return context;
    driver().cuDevicePrimaryCtxRelease_v2(device);
  } else if (!is_fault(retained)) {
    check(retained, "cuDevicePrimaryCtxRetain", "is another process using the device exclusively?");
  }
  check_opening(driver().cuDevicePrimaryCtxReset_v2(device), "cuDevicePrimaryCtxReset");
  ++resets_of(device);
  check_opening(retain(), "cuDevicePrimaryCtxRetain", "is another process using the device exclusively?");
  if (const CUresult health = health_of(context); is_fault(health)) {
    driver().cuDevicePrimaryCtxRelease_v2(device);
    check_opening(health, "cuDevicePrimaryCtxRetain");
  }
  return context;
}

CUcontext create_own(CUdevice device) {
  if (driver().cuCtxCreate_v2.get() == nullptr) {
    throw UnsupportedFeature("this CUDA driver has no cuCtxCreate_v2; open the device with its shared context");
  }
  CUcontext context = nullptr;
  check_opening(driver().cuCtxCreate_v2(&context, CU_CTX_SCHED_AUTO | CU_CTX_MAP_HOST, device), "cuCtxCreate");
  CUcontext popped = nullptr;  // creating made it current
  check(driver().cuCtxPopCurrent_v2(&popped), "cuCtxPopCurrent");
  if (const CUresult health = health_of(context); is_fault(health)) {
    driver().cuCtxDestroy_v2(context);
    check_opening(health, "cuCtxCreate");
  }
  return context;
}

}  // namespace

Context::Context(CUdevice device, ContextKind kind)
    : device_(device),
      kind_(kind),
      context_(kind == ContextKind::shared ? retain_primary(device) : create_own(device)),
      resets_(resets_of(device)) {}

Context::~Context() {
  if (is_abandoned_) return;
  if (kind_ == ContextKind::shared) {
    driver().cuDevicePrimaryCtxRelease_v2(device_);  // owed after a reset, too, which does not release
  } else {
    driver().cuCtxDestroy_v2(context_);
  }
}

bool Context::is_valid() const {
  return !is_abandoned_ && (kind_ == ContextKind::own || resets_ == resets_of(device_));
}

ScopedContext::ScopedContext(const Context& context) {
  if (!context.is_valid()) {
    code_ = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return;
  }
  CUcontext current = nullptr;
  code_ = driver().cuCtxGetCurrent(&current);
  if (code_ != CUDA_SUCCESS || current == context.get()) return;
  code_ = driver().cuCtxPushCurrent_v2(context.get());
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
