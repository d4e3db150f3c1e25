#include "apps/rtcg_bench/cusparse_peer.hpp"

#include <algorithm>

#include "apps/rtcg_bench/foreign_library.hpp"
#ifdef MAXWELL_DG_HAVE_CUDA
#include "core/cuda/current_context.hpp"
#endif
#include "core/error.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

namespace {

// Of cusparse.h and library_types.h.
constexpr int index_32i = 2, index_base_zero = 0, real_32f = 0, not_transposed = 0, algorithm_default = 0;

}  // namespace

std::optional<double> cusparse_seconds(const rtcg::Context& context, const rtcg::CsrMatrix<float>& matrix) {
  if (context.device().info().backend != core::Backend::cuda) return std::nullopt;
  const ForeignLibrary library("cuSPARSE",
                               {"libcusparse.so.12", "libcusparse.so", "/usr/local/cuda/lib64/libcusparse.so"});
  if (!library) return std::nullopt;
#ifdef MAXWELL_DG_HAVE_CUDA
  const core::cuda::CurrentContext current(context.device());  // where the library makes its handle
#endif
  const std::vector<std::int32_t> begins(matrix.row_begin.begin(), matrix.row_begin.end());
  const rtcg::DeviceArray begin = rtcg::to_device(context, begins), column = rtcg::to_device(context, matrix.column),
                          values = rtcg::to_device(context, matrix.values);
  const rtcg::DeviceArray x = rtcg::ones(context, {matrix.columns}, Dtype::float32);
  const rtcg::DeviceArray y = rtcg::zeros(context, {matrix.rows}, Dtype::float32);
  context.stream().synchronize();
  const auto memory = [](const rtcg::DeviceArray& array) { return pointer(array.buffer().raw()); };
  void *handle = nullptr, *a = nullptr, *of_x = nullptr, *of_y = nullptr;
  library.call("cusparseCreate", &handle);
  library.call("cusparseSetStream", handle, pointer(context.stream().raw()));
  library.call("cusparseCreateCsr", &a, matrix.rows, matrix.columns, matrix.entries(), memory(begin), memory(column),
               memory(values), index_32i, index_32i, index_base_zero, real_32f);
  library.call("cusparseCreateDnVec", &of_x, matrix.columns, memory(x), real_32f);
  library.call("cusparseCreateDnVec", &of_y, matrix.rows, memory(y), real_32f);
  const float one = 1, zero = 0;
  const void *alpha = &one, *beta = &zero;
  std::size_t bytes = 0;
  library.call("cusparseSpMV_bufferSize", handle, not_transposed, alpha, a, of_x, beta, of_y, real_32f,
               algorithm_default, &bytes);
  const core::Buffer scratch = context.allocate(std::max<std::size_t>(bytes, 1));
  const auto run = [&](const char* name) {
    library.call(name, handle, not_transposed, alpha, a, of_x, beta, of_y, real_32f, algorithm_default,
                 pointer(scratch.raw()));
  };
  run("cusparseSpMV_preprocess");
  const double seconds = rtcg::measure_seconds(context.stream(), [&] { run("cusparseSpMV"); });
  context.stream().synchronize();
  library.call("cusparseDestroyDnVec", of_x);
  library.call("cusparseDestroyDnVec", of_y);
  library.call("cusparseDestroySpMat", a);
  library.call("cusparseDestroy", handle);
  return seconds;
}

}  // namespace maxwell_dg::bench
