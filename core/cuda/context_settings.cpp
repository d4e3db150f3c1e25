#include "core/cuda/context_settings.hpp"

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {
namespace {

constexpr const char* kSettings = "limits and cache preferences of a context";

CUlimit limit_code(Limit which) {
  switch (which) {
    case Limit::stack: return CU_LIMIT_STACK_SIZE;
    case Limit::print: return CU_LIMIT_PRINTF_FIFO_SIZE;
    case Limit::heap: return CU_LIMIT_MALLOC_HEAP_SIZE;
  }
  return CU_LIMIT_STACK_SIZE;
}

}  // namespace

std::size_t limit(const Device& device, Limit which) {
  const auto state = cuda_device(device, kSettings);
  const Current current(*state);
  std::size_t bytes = 0;
  check(driver().cuCtxGetLimit(&bytes, limit_code(which)), "cuCtxGetLimit");
  return bytes;
}

void set_limit(const Device& device, Limit which, std::size_t bytes) {
  const auto state = cuda_device(device, kSettings);
  const Current current(*state);
  check(
      driver().cuCtxSetLimit(limit_code(which), bytes), "cuCtxSetLimit",
      readable_bytes(bytes) + " were asked for; memory for printf and malloc cannot change once a kernel has used it");
}

CachePreference cache_preference(const Device& device) {
  const auto state = cuda_device(device, kSettings);
  const Current current(*state);
  CUfunc_cache code{};
  check(driver().cuCtxGetCacheConfig(&code), "cuCtxGetCacheConfig");
  switch (code) {
    case CU_FUNC_CACHE_PREFER_SHARED: return CachePreference::shared;
    case CU_FUNC_CACHE_PREFER_L1: return CachePreference::cache;
    case CU_FUNC_CACHE_PREFER_EQUAL: return CachePreference::equal;
    default: return CachePreference::none;
  }
}

void set_cache_preference(const Device& device, CachePreference preference) {
  const auto state = cuda_device(device, kSettings);
  const Current current(*state);
  const CUfunc_cache code = preference == CachePreference::shared  ? CU_FUNC_CACHE_PREFER_SHARED
                            : preference == CachePreference::cache ? CU_FUNC_CACHE_PREFER_L1
                            : preference == CachePreference::equal ? CU_FUNC_CACHE_PREFER_EQUAL
                                                                   : CU_FUNC_CACHE_PREFER_NONE;
  check(driver().cuCtxSetCacheConfig(code), "cuCtxSetCacheConfig");
}

}  // namespace maxwell_dg::core::cuda
