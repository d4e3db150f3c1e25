#include "rtcg/sparse/conjugate_gradients.hpp"

#include <cmath>
#include <limits>

#include "tests/unit/rtcg/array/array_fixture.hpp"
#include "tests/unit/rtcg/sparse/matrices.hpp"

namespace maxwell_dg::rtcg {
namespace {

class ConjugateGradientsTest : public ArrayTest {
 protected:
  template <class T>
  [[nodiscard]] SparseMatrix on_device(const CsrMatrix<T>& matrix) const {
    return {context(), matrix, {.format = SparseFormat::csr}};
  }
  [[nodiscard]] SparseMatrix small(const std::vector<Triplet<float>>& triplets, std::int64_t n) const {
    return on_device(from_triplets<float>({n, n}, triplets));
  }
};

// The plain method on the host, as in a textbook.
template <class T>
std::int64_t iterations_on_host(const CsrMatrix<T>& matrix, const std::vector<T>& b, double tolerance) {
  std::vector<T> r = b, z, p;
  const auto diagonal = static_cast<T>(6);
  for (const T value : r) z.push_back(value / diagonal);
  p = z;
  const auto dot = [](const std::vector<T>& a, const std::vector<T>& c) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(c[i]);
    return sum;
  };
  double rz = dot(r, z);
  const double bound = tolerance * tolerance * dot(b, b);
  for (std::int64_t k = 1;; ++k) {
    const std::vector<T> q = multiply<T>(matrix, p);
    const double alpha = rz / dot(p, q);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= static_cast<T>(alpha * static_cast<double>(q[i]));
    if (dot(r, r) <= bound) return k;
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / diagonal;
    const double next = dot(r, z), beta = next / rz;
    rz = next;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + static_cast<T>(beta * static_cast<double>(p[i]));
  }
}

TEST_F(ConjugateGradientsTest, solves_poisson_in_as_many_iterations_as_the_host) {
  if (!has_float64()) GTEST_SKIP() << "needs float64";
  const CsrMatrix<double> matrix = poisson<double>(12);
  std::vector<double> solution(static_cast<std::size_t>(matrix.rows));
  for (std::size_t i = 0; i < solution.size(); ++i) solution[i] = std::sin(static_cast<double>(i * i));
  const std::vector<double> b = multiply<double>(matrix, solution);
  const DeviceArray on_device_b = to_device(context(), b);
  for (const std::int64_t batch : {1, 7, 1000}) {
    const DeviceArray x = zeros(context(), {matrix.rows}, Dtype::float64);
    const auto [iterations, residual] = conjugate_gradients(on_device(matrix), on_device_b, x, {.batch = batch});
    EXPECT_EQ(iterations, iterations_on_host(matrix, b, 1e-10));
    EXPECT_LE(residual, 2e-10);
    const std::vector<double> found = x.to_vector<double>();
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], solution[i], 1e-8);
  }
}

TEST_F(ConjugateGradientsTest, jacobi_helps_where_the_scales_of_rows_differ) {
  std::vector<Triplet<float>> triplets;
  constexpr std::int64_t n = 400;
  for (std::int64_t r = 0; r < n; ++r) {
    const auto scale = static_cast<float>(1 + r % 50 * 20);
    triplets.push_back({r, r, 4 * scale});
    if (r > 0) triplets.push_back({r, r - 1, -0.5F});
    if (r + 1 < n) triplets.push_back({r, r + 1, -0.5F});
  }
  const SparseMatrix matrix = small(triplets, n);
  const DeviceArray b = ones(context(), {n}, Dtype::float32);
  const auto iterations = [&](Preconditioner preconditioner) {
    const DeviceArray x = zeros(context(), {n}, Dtype::float32);
    return conjugate_gradients(matrix, b, x, {.preconditioner = preconditioner}).iterations;
  };
  EXPECT_LT(3 * iterations(Preconditioner::jacobi), iterations(Preconditioner::none));
}

TEST_F(ConjugateGradientsTest, a_solution_that_is_there_takes_no_iteration) {
  const SparseMatrix matrix = small({{0, 0, 2}, {1, 1, 4}}, 2);
  const DeviceArray x = to_device(context(), std::vector<float>{3, 5});
  const DeviceArray b = to_device(context(), std::vector<float>{6, 20});
  EXPECT_EQ(conjugate_gradients(matrix, b, x).iterations, 0);
  const DeviceArray zero = zeros(context(), {2}, Dtype::float32);
  EXPECT_EQ(conjugate_gradients(matrix, zero, zeros(context(), {2}, Dtype::float32)).residual, 0);
}

TEST_F(ConjugateGradientsTest, matrices_that_are_not_positive_definite_are_told) {
  const DeviceArray b = to_device(context(), std::vector<float>{1, 2});
  const auto message = [&](const std::vector<Triplet<float>>& triplets, Preconditioner preconditioner) {
    const DeviceArray x = zeros(context(), {2}, Dtype::float32);
    return message_of<SolverError>(
        [&] { (void)conjugate_gradients(small(triplets, 2), b, x, {.preconditioner = preconditioner}); });
  };
  EXPECT_EQ(message({{0, 0, 1}, {1, 1, -1}}, Preconditioner::jacobi),
            "conjugate gradients: the diagonal entry of row 1 is not above 0, so the matrix is not positive definite");
  EXPECT_EQ(message({{0, 0, 1}, {1, 1, -1}}, Preconditioner::none),
            "conjugate gradients: p' A p = -3 after 0 iterations: the matrix is singular or indefinite; it must be "
            "symmetric positive definite");
  EXPECT_EQ(message({}, Preconditioner::none),
            "conjugate gradients: p' A p = 0 after 0 iterations: the matrix is singular or indefinite; it must be "
            "symmetric positive definite");
  // Positive on the diagonal, indefinite all the same.
  EXPECT_NE(message({{0, 0, 1}, {0, 1, -3}, {1, 0, -3}, {1, 1, 1}}, Preconditioner::jacobi).find("indefinite"),
            std::string::npos);
  // Singular: constants are in its kernel, and in b.
  EXPECT_NE(
      message({{0, 0, 1}, {0, 1, -1}, {1, 0, -1}, {1, 1, 1}}, Preconditioner::jacobi).find("conjugate gradients: "),
      std::string::npos);
  EXPECT_EQ(message({{0, 0, std::numeric_limits<float>::infinity()}, {1, 1, 1}}, Preconditioner::jacobi),
            "conjugate gradients: numbers that are not finite after 0 iterations; look for them in the matrix, the "
            "right-hand side and the first guess");
}

TEST_F(ConjugateGradientsTest, no_convergence_is_an_error) {
  const DeviceArray b = ones(context(), {1000}, Dtype::float32), x = zeros(context(), {1000}, Dtype::float32);
  const std::string message = message_of<SolverError>(
      [&] { (void)conjugate_gradients(on_device(poisson<float>(10)), b, x, {.most_iterations = 3}); });
  EXPECT_NE(message.find(" after 3 iterations, above 1e-05; allow more iterations, or a larger tolerance"),
            std::string::npos)
      << message;
}

TEST_F(ConjugateGradientsTest, what_does_not_fit_is_refused) {
  const SparseMatrix matrix = small({{0, 0, 2}, {1, 1, 4}}, 2);
  const DeviceArray x = zeros(context(), {2}, Dtype::float32), longer = zeros(context(), {3}, Dtype::float32);
  EXPECT_THROW((void)conjugate_gradients(matrix, longer, x), ShapeError);
  EXPECT_THROW((void)conjugate_gradients(matrix, x, x.astype(Dtype::int32)), DtypeError);
  EXPECT_THROW((void)conjugate_gradients(on_device(irregular<std::complex<float>>({2, 2}, 2)), x, x), DtypeError);
  EXPECT_THROW((void)conjugate_gradients(on_device(irregular<float>({2, 3}, 2)), x, x), ShapeError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
