#include <array>
#include <cstdio>
#include <numbers>

#include "apps/examples/example.hpp"
#include "rtcg/sparse/conjugate_gradients.hpp"

/// Conjugate gradients on a Poisson problem: -u_xx - u_yy = f in the unit square, u = 0 on its border, by five-point
/// differences on n x n points. The solution is made up, f follows from it: the error must fall with the square of the
/// distance of the points.
namespace {

using namespace maxwell_dg;

double solution(double x, double y) {
  return x * (1 - x) * std::exp(x) * std::sin(std::numbers::pi * y);
}

double right_hand_side(double x, double y) {
  const double pi = std::numbers::pi;
  return (x * (3 + x) + pi * pi * x * (1 - x)) * std::exp(x) * std::sin(pi * y);
}

/// h^2 times the differences; points of the border are left out.
rtcg::CsrMatrix<double> differences(std::int64_t n) {
  std::vector<rtcg::Triplet<double>> entries;
  for (std::int64_t row = 0; row < n * n; ++row) {
    const std::int64_t column = row % n;
    entries.push_back({row, row, 4});
    if (column > 0) entries.push_back({row, row - 1, -1});
    if (column < n - 1) entries.push_back({row, row + 1, -1});
    if (row >= n) entries.push_back({row, row - n, -1});
    if (row < n * (n - 1)) entries.push_back({row, row + n, -1});
  }
  return rtcg::from_triplets<double>({.rows = n * n, .columns = n * n}, entries);
}

/// The largest error at a point.
double error_on(const rtcg::Context& context, std::int64_t n) {
  const double h = 1.0 / static_cast<double>(n + 1);
  std::vector<double> b, exact;
  for (std::int64_t i = 0; i < n * n; ++i) {
    const double x = static_cast<double>(i % n + 1) * h, y = static_cast<double>(i / n + 1) * h;
    b.push_back(h * h * right_hand_side(x, y));
    exact.push_back(solution(x, y));
  }
  const rtcg::SparseMatrix matrix(context, differences(n), {.format = rtcg::SparseFormat::sliced_ell});
  const rtcg::DeviceArray u = zeros(context, {n * n}, Dtype::float64);
  const rtcg::ConjugateGradientsResult result = conjugate_gradients(matrix, to_device(context, b), u);

  const std::vector<double> found = u.to_vector<double>();
  double error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) error = std::max(error, std::abs(found[i] - exact[i]));
  std::printf("%3lld x %lld points: %lld iterations to a residual of %.1e, largest error %.2e\n",
              static_cast<long long>(n), static_cast<long long>(n), static_cast<long long>(result.iterations),
              result.residual, error);
  return error;
}

void poisson(const rtcg::Context& context) {
  const double coarse = error_on(context, 31), fine = error_on(context, 63);
  const double order = std::log2(coarse / fine);
  std::printf("order %.3f\n", order);
  examples::require(std::abs(order - 2) < 0.05, "the error does not fall with the square of the distance");
}

}  // namespace

int main() {
  return examples::run(poisson);
}
