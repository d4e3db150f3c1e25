#include <cmath>
#include <cstdio>
#include <vector>

#include "core/device/device.hpp"
#include "core/error.hpp"

#if MAXWELL_DG_HAVE_CUBLAS
#include <cublas_v2.h>

#include "core/cuda/current_context.hpp"
#endif

/// cuBLAS on our buffers and streams: raw() hands out what the library takes, and a kernel of ours follows in the same
/// stream without waiting in between.
namespace {

constexpr int kSkipped = 77;  // what CTest takes for a skipped test

#if MAXWELL_DG_HAVE_CUBLAS

using maxwell_dg::DeviceError;
using maxwell_dg::core::Buffer;
using maxwell_dg::core::Device;
using maxwell_dg::core::Stream;

constexpr int n = 64;

constexpr const char* kScale = R"(
extern "C" __global__ void scale(double* x, double factor) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}
)";

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw DeviceError(std::string("cuBLAS: ") + call + " failed with " + cublasGetStatusString(status));
  }
}

double* pointer(const Buffer& buffer) {
  return reinterpret_cast<double*>(buffer.raw());
}

/// c = 2 (a b), column by column, as BLAS stores matrices.
std::vector<double> twice_the_product(const Device& device, const std::vector<double>& a,
                                      const std::vector<double>& b) {
  const Stream stream = device.create_stream();
  const std::size_t bytes = a.size() * sizeof(double);
  const Buffer a_on_device = device.allocate(bytes);
  const Buffer b_on_device = device.allocate(bytes);
  const Buffer c_on_device = device.allocate(bytes);
  stream.write(a_on_device, 0, std::as_bytes(std::span(a)));
  stream.write(b_on_device, 0, std::as_bytes(std::span(b)));

  const maxwell_dg::core::cuda::CurrentContext current(device);  // where cuBLAS makes its handle
  cublasHandle_t blas = nullptr;
  check(cublasCreate(&blas), "cublasCreate");
  check(cublasSetStream(blas, reinterpret_cast<cudaStream_t>(stream.raw())), "cublasSetStream");
  const double one = 1.0;
  const double zero = 0.0;
  check(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, pointer(a_on_device), n, pointer(b_on_device), n,
                    &zero, pointer(c_on_device), n),
        "cublasDgemm");

  const auto built = device.build({.name = "scale.cu", .text = kScale, .headers = {}, .options = {}});
  if (!built.ok) throw DeviceError("scale.cu does not compile: " + built.log);
  device.load(built.binary, "scale")
      .kernel("scale")
      .launch(stream, {.groups = {n, 1, 1}, .group_size = {n, 1, 1}}, {c_on_device, 2.0});
  std::vector<double> c(a.size());
  stream.read(c_on_device, 0, std::as_writable_bytes(std::span(c)));
  stream.synchronize();
  check(cublasDestroy(blas), "cublasDestroy");
  return c;
}

int run() {
  const Device device = Device::open("cuda");
  std::vector<double> a(n * n);
  std::vector<double> b(n * n);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::sin(static_cast<double>(i));
    b[i] = std::cos(static_cast<double>(i));
  }
  const std::vector<double> c = twice_the_product(device, a, b);
  double worst = 0.0;
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < n; ++row) {
      double expected = 0.0;
      for (std::size_t k = 0; k < n; ++k) expected += 2.0 * a[row + k * n] * b[k + column * n];
      worst = std::max(worst, std::abs(c[row + column * n] - expected));
    }
  }
  std::printf("cublasDgemm and a kernel of ours in one stream on %s: largest deviation %.1e\n",
              device.info().name.c_str(), worst);
  return worst < 1e-12 * n ? 0 : 1;
}

#endif

}  // namespace

int main() {
#if MAXWELL_DG_HAVE_CUBLAS
  try {
    const auto devices = maxwell_dg::core::list_devices();
    if (devices.empty() || devices.front().backend != maxwell_dg::core::Backend::cuda) {
      std::puts("skipped: no CUDA device on this machine");
      return kSkipped;
    }
    return run();
  } catch (const maxwell_dg::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
  }
#else
  std::puts("skipped: CMake found no cuBLAS (cublas_v2.h and libcublas of the CUDA toolkit)");
  return kSkipped;
#endif
}
