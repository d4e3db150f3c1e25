#include "apps/rtcg_bench/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace maxwell_dg::bench {

template <class T>
rtcg::CsrMatrix<T> stencil_matrix(std::int64_t n, Stencil stencil) {
  rtcg::CsrMatrix<T> matrix;
  matrix.rows = matrix.columns = n * n * n;
  const auto couplings = static_cast<T>(stencil == Stencil::seven ? 6 : 26);
  const auto is_inside = [n](std::int64_t x) { return x >= 0 && x < n; };
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::int64_t x = row % n, y = row / n % n, z = row / n / n;
    for (std::int64_t k = 0; k < 27; ++k) {
      const std::int64_t dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
      const std::int64_t distance = std::abs(dx) + std::abs(dy) + std::abs(dz);
      if (stencil == Stencil::seven && distance > 1) continue;
      if (!is_inside(x + dx) || !is_inside(y + dy) || !is_inside(z + dz)) continue;
      matrix.column.push_back(static_cast<std::int32_t>(row + dx + n * (dy + n * dz)));
      matrix.values.push_back(distance == 0 ? couplings : T{-1});
    }
    matrix.row_begin.push_back(matrix.entries());
  }
  return matrix;
}

rtcg::CsrMatrix<float> irregular_matrix(std::int64_t rows) {
  rtcg::CsrMatrix<float> matrix;
  matrix.rows = matrix.columns = rows;
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::uniform_int_distribution<std::int32_t> anywhere(0, static_cast<std::int32_t>(rows - 1));
  std::vector<std::int32_t> columns;
  for (std::int64_t row = 0; row < rows; ++row) {
    const double length = 4 / std::max(uniform(engine), 4.0 / 255);
    columns.resize(std::min(static_cast<std::size_t>(length), static_cast<std::size_t>(rows)));
    std::ranges::generate(columns, [&] { return anywhere(engine); });
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    matrix.column.insert(matrix.column.end(), columns.begin(), columns.end());
    matrix.values.resize(matrix.column.size(), 0.5F);
    matrix.row_begin.push_back(matrix.entries());
  }
  return matrix;
}

template rtcg::CsrMatrix<float> stencil_matrix<float>(std::int64_t, Stencil);
template rtcg::CsrMatrix<double> stencil_matrix<double>(std::int64_t, Stencil);

}  // namespace maxwell_dg::bench
