#include "rtcg/sparse/conjugate_gradients.hpp"

#include <cmath>
#include <cstdio>
#include <string>

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/reduction.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::string written(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

/// How far the device has come.
enum Status : std::int32_t { going_on, converged, not_positive, not_finite };

/// The kernels for one dtype. The scalars of the method never leave the device: `products` is the pair of r' M r (re)
/// and r' r (im), M the inverse diagonal; state[0] is the status, state[1] counts iterations.
struct Kernels {
  explicit Kernels(Dtype dtype)
      : real(name_of(dtype)),
        pair(dtype == Dtype::float32 ? "complex64" : "complex128"),
        vector_in("const " + real + "* "),
        invert({.arguments = vector_in + "d, " + real + "* m", .operation = "m[i] = 1 / d[i]", .name = "cg_invert"}),
        begin({.arguments = vector_in + "b, " + vector_in + "m, " + real + "* r, " + real + "* p",
               .operation = "r[i] = b[i] - r[i]; p[i] = m[i] * r[i]",
               .name = "cg_begin"}),
        products({.arguments = vector_in + "r, " + vector_in + "m",
                  .map = pair + "_of(r[i] * m[i] * r[i], r[i] * r[i])",
                  .reduce = pair + "_add(a, b)",
                  .neutral = pair + "_of(0, 0)",
                  .result = dtype == Dtype::float32 ? Dtype::complex64 : Dtype::complex128,
                  .name = "cg_products"}),
        curvature({.arguments = vector_in + "p, " + vector_in + "q",
                   .map = "p[i] * q[i]",
                   .reduce = "a + b",
                   .neutral = "0",
                   .result = dtype,
                   .name = "cg_curvature"}),
        step({.arguments = vector_in + "p, " + vector_in + "q, const " + pair + "* before, " + vector_in +
                           "pq, const int32* state, " + real + "* x, " + real + "* r",
              .operation = "if (state[0] == 0 && pq[0] > 0) {\n"
                           "  const " +
                           real +
                           " alpha = before[0].re / pq[0];\n"
                           "  x[i] += alpha * p[i];\n"
                           "  r[i] -= alpha * q[i];\n}",
              .name = "cg_step"}),
        // The curvature is kept for the message. Its sign alone decides: NaN is not above 0, but is told as such.
        judge({.arguments = vector_in + "pq, const " + pair + "* now, const " + pair + "* bound, " + real +
                            " tolerance2, int32 is_step, int32* state, " + real + "* seen",
               .operation = "if (state[0] == 0) {\n"
                            "  seen[0] = pq[0];\n"
                            "  if (is_step && pq[0] <= 0) state[0] = 2;\n"
                            "  else if (!(pq[0] - pq[0] == 0 && now[0].im - now[0].im == 0)) state[0] = 3;\n"
                            "  else {\n"
                            "    state[1] += is_step;\n"
                            "    if (now[0].im <= tolerance2 * bound[0].im) state[0] = 1;\n"
                            "  }\n}",
               .name = "cg_judge"}),
        direction({.arguments = vector_in + "r, " + vector_in + "m, const " + pair + "* before, const " + pair +
                                "* now, const int32* state, " + real + "* p",
                   .operation = "if (state[0] == 0) p[i] = m[i] * r[i] + now[0].re / before[0].re * p[i]",
                   .name = "cg_direction"}) {}

  std::string real, pair, vector_in;
  ElementwiseKernel invert, begin;
  ReductionKernel products, curvature;
  ElementwiseKernel step, judge, direction;
};

class Solver {
 public:
  Solver(const SparseMatrix& matrix, const DeviceArray& b, const DeviceArray& x,
         const ConjugateGradientsOptions& options)
      : matrix_(matrix), context_(matrix.context()), b_(b), x_(x), options_(options), kernels_(checked_dtype()) {
    check();
    if (options_.tolerance <= 0) options_.tolerance = matrix.dtype() == Dtype::float32 ? 1e-5 : 1e-10;
    if (options_.most_iterations <= 0) options_.most_iterations = 10 * matrix.rows();
    if (options_.batch <= 0) options_.batch = 1;
  }

  ConjugateGradientsResult run() {
    if (matrix_.rows() == 0) return {};
    begin();
    while (status() == going_on && done_ < options_.most_iterations) {
      for (std::int64_t k = 0; k < options_.batch && done_ < options_.most_iterations; ++k, ++done_) iterate();
    }
    return result();
  }

 private:
  [[nodiscard]] Dtype checked_dtype() const {
    if (matrix_.dtype() == Dtype::float32 || matrix_.dtype() == Dtype::float64) return matrix_.dtype();
    throw DtypeError("conjugate gradients: a matrix of " + std::string(name_of(matrix_.dtype())) +
                     "; expected float32 or float64");
  }

  void check() const {
    if (matrix_.rows() != matrix_.columns()) {
      throw ShapeError("conjugate gradients: a matrix of " + std::to_string(matrix_.rows()) + " rows and " +
                       std::to_string(matrix_.columns()) + " columns; it must be square");
    }
    for (const DeviceArray* array : {&b_, &x_}) {
      const std::string name = array == &b_ ? "b" : "x";
      if (array->dtype() != matrix_.dtype()) {
        throw DtypeError("conjugate gradients: " + name + " is of " + std::string(name_of(array->dtype())) +
                         ", the matrix of " + std::string(name_of(matrix_.dtype())));
      }
      if (array->shape() != Shape{matrix_.rows()}) {
        throw ShapeError("conjugate gradients: " + name + " has shape " + to_string(array->shape()) +
                         " for a matrix of " + std::to_string(matrix_.rows()) + " rows");
      }
    }
    const std::int64_t bad = matrix_.row_without_positive_diagonal();
    if (options_.preconditioner == Preconditioner::jacobi && bad >= 0) {
      throw SolverError("conjugate gradients: the diagonal entry of row " + std::to_string(bad) +
                        " is not above 0, so the matrix is not positive definite");
    }
  }

  void begin() {
    const Dtype dtype = matrix_.dtype();
    const Shape shape{matrix_.rows()};
    for (DeviceArray* array : {&r_, &p_, &q_, &inverse_}) *array = empty(context_, shape, dtype);
    state_ = zeros(context_, {2}, Dtype::int32);
    seen_ = ones(context_, {}, dtype);
    if (options_.preconditioner == Preconditioner::jacobi) {
      kernels_.invert(matrix_.diagonal(), inverse_);
    } else {
      inverse_.fill(1);
    }
    of_b_ = kernels_.products(b_, inverse_);
    matrix_.multiply(x_, r_);
    kernels_.begin(b_, inverse_, r_, p_);
    now_ = kernels_.products(r_, inverse_);
    judge(seen_, 0);
  }

  void judge(const DeviceArray& curvature, int is_step) const {
    kernels_.judge(curvature, now_, of_b_, options_.tolerance * options_.tolerance, is_step, state_, seen_);
  }

  void iterate() {
    matrix_.multiply(p_, q_);
    const DeviceArray curvature = kernels_.curvature(p_, q_), before = now_;
    kernels_.step(p_, q_, before, curvature, state_, x_, r_);
    now_ = kernels_.products(r_, inverse_);
    judge(curvature, 1);
    kernels_.direction(r_, inverse_, before, now_, state_, p_);
  }

  [[nodiscard]] Status status() {
    const std::vector<std::int32_t> state = state_.to_vector<std::int32_t>();
    iterations_ = state[1];
    return static_cast<Status>(state[0]);
  }

  [[nodiscard]] double seen() const {
    return matrix_.dtype() == Dtype::float32 ? static_cast<double>(seen_.item<float>()) : seen_.item<double>();
  }

  // The square norm of a vector.
  [[nodiscard]] double square(const DeviceArray& products) const {
    if (matrix_.dtype() == Dtype::float32) return static_cast<double>(products.item<std::complex<float>>().imag());
    return products.item<std::complex<double>>().imag();
  }

  [[nodiscard]] ConjugateGradientsResult result() {
    const Status status = this->status();
    matrix_.multiply(x_, r_);
    kernels_.begin(b_, inverse_, r_, p_);
    const double of_r = square(kernels_.products(r_, inverse_)), of_b = square(of_b_);
    const double residual = of_r == 0 ? 0 : std::sqrt(of_r / of_b);
    const std::string after = " after " + std::to_string(iterations_) + " iterations";
    if (status == converged) return {.iterations = iterations_, .residual = residual};
    if (status == not_positive) {
      throw SolverError("conjugate gradients: p' A p = " + written(seen()) + after +
                        ": the matrix is singular or indefinite; it must be symmetric positive definite");
    }
    if (status == not_finite) {
      throw SolverError("conjugate gradients: numbers that are not finite" + after +
                        "; look for them in the matrix, the right-hand side and the first guess");
    }
    throw SolverError("conjugate gradients: a relative residual of " + written(residual) + after + ", above " +
                      written(options_.tolerance) + "; allow more iterations, or a larger tolerance");
  }

  const SparseMatrix& matrix_;
  const Context& context_;
  const DeviceArray &b_, &x_;
  ConjugateGradientsOptions options_;
  Kernels kernels_;
  DeviceArray r_, p_, q_, inverse_, state_, seen_, of_b_, now_;
  std::int64_t done_ = 0, iterations_ = 0;
};

}  // namespace

ConjugateGradientsResult conjugate_gradients(const SparseMatrix& matrix, const DeviceArray& b, const DeviceArray& x,
                                             const ConjugateGradientsOptions& options) {
  return Solver(matrix, b, x, options).run();
}

}  // namespace maxwell_dg::rtcg
