#include "apps/examples/example.hpp"
#include "rtcg/array/operators.hpp"

#if MAXWELL_DG_HAVE_CUBLAS
#include <cublas_v2.h>

#include "core/cuda/current_context.hpp"
#endif

/// cuBLAS on our arrays and stream: raw() hands out what the library takes, and arithmetic of ours follows in the same
/// stream without waiting in between.
namespace {

using namespace maxwell_dg;

#if MAXWELL_DG_HAVE_CUBLAS

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw DeviceError(std::string("cuBLAS: ") + call + " failed with " + cublasGetStatusString(status));
}

double* pointer(const rtcg::DeviceArray& array) {
  return reinterpret_cast<double*>(array.buffer().raw());
}

/// C = 2 A B
void cublas_interop(const rtcg::Context& context) {
  constexpr int n = 64;
  const std::vector<float> noise = examples::noise(2 * n * n);
  const std::vector<double> a(noise.begin(), noise.begin() + n * n), b(noise.begin() + n * n, noise.end());
  const rtcg::DeviceArray a_device = to_device(context, a, {n, n}), b_device = to_device(context, b, {n, n}),
                          c_device = empty(context, {n, n}, Dtype::float64);

  const core::cuda::CurrentContext current(context.device());  // where cuBLAS makes its handle
  cublasHandle_t blas = nullptr;
  check(cublasCreate(&blas), "cublasCreate");
  check(cublasSetStream(blas, reinterpret_cast<cudaStream_t>(context.stream().raw())), "cublasSetStream");
  const double one = 1, zero = 0;
  // Its matrices are stored by columns, so it is told that the transposed product is B A.
  check(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, pointer(b_device), n, pointer(a_device), n, &zero,
                    pointer(c_device), n),
        "cublasDgemm");
  c_device *= 2;
  const std::vector<double> c = c_device.to_vector<double>();
  check(cublasDestroy(blas), "cublasDestroy");

  std::vector<double> expected(n * n);
  for (std::size_t at = 0; at < expected.size(); ++at) {
    for (std::size_t k = 0; k < n; ++k) expected[at] += 2 * a[at / n * n + k] * b[k * n + at % n];
  }
  examples::require_close(c, expected, 1e-14, "C");
  std::printf("cublasDgemm and arithmetic of ours in one stream\n");
}

constexpr const char* kMissing = "";

#else

void cublas_interop(const rtcg::Context& /*context*/) {}

constexpr const char* kMissing = "CMake found no cuBLAS (cublas_v2.h and libcublas of the CUDA toolkit)";

#endif

}  // namespace

int main() {
  return examples::run_on_cuda(kMissing, cublas_interop);
}
