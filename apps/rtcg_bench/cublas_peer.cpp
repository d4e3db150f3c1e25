#include "apps/rtcg_bench/cublas_peer.hpp"

#include "apps/rtcg_bench/foreign_library.hpp"
#ifdef MAXWELL_DG_HAVE_CUDA
#include "core/cuda/current_context.hpp"
#endif
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

std::optional<double> cublas_seconds(const rtcg::DeviceArray& a, const rtcg::DeviceArray& b,
                                     const rtcg::DeviceArray& c) {
  const rtcg::Context& context = a.context();
  if (context.device().info().backend != core::Backend::cuda) return std::nullopt;
  const ForeignLibrary library(
      "cuBLAS", {"libcublas.so.13", "libcublas.so.12", "libcublas.so", "/usr/local/cuda/lib64/libcublas.so"});
  if (!library) return std::nullopt;
#ifdef MAXWELL_DG_HAVE_CUDA
  const core::cuda::CurrentContext current(context.device());  // where the library makes its handle
#endif
  constexpr int not_transposed = 0;  // of cublas_api.h
  const int n = static_cast<int>(a.shape()[0]);
  const float one = 1, zero = 0;
  const auto memory = [](const rtcg::DeviceArray& array) { return pointer(array.buffer().raw()); };
  void* handle = nullptr;
  library.call("cublasCreate_v2", &handle);
  library.call("cublasSetStream_v2", handle, pointer(context.stream().raw()));
  // Its matrices are stored by columns: the transposed product is b a.
  const double seconds = rtcg::measure_seconds(context.stream(), [&] {
    library.call("cublasSgemm_v2", handle, not_transposed, not_transposed, n, n, n, &one, memory(b), n, memory(a), n,
                 &zero, memory(c), n);
  });
  context.stream().synchronize();
  library.call("cublasDestroy_v2", handle);
  return seconds;
}

}  // namespace maxwell_dg::bench
