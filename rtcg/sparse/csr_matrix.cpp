#include "rtcg/sparse/csr_matrix.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

void check_extent(const MatrixExtent& extent) {
  if (extent.rows >= 0 && extent.columns >= 0 && extent.columns <= std::numeric_limits<std::int32_t>::max()) return;
  throw ShapeError("a sparse matrix of " + std::to_string(extent.rows) + " rows and " + std::to_string(extent.columns) +
                   " columns; expected 0 or more, and at most 2^31 - 1 columns");
}

}  // namespace

template <class T>
CsrMatrix<T> from_triplets(const MatrixExtent& extent, std::span<const Triplet<T>> triplets) {
  check_extent(extent);
  CsrMatrix<T> matrix;
  matrix.rows = extent.rows;
  matrix.columns = extent.columns;
  matrix.row_begin.assign(static_cast<std::size_t>(extent.rows) + 1, 0);
  for (const Triplet<T>& t : triplets) {
    if (t.row < 0 || t.row >= extent.rows || t.column < 0 || t.column >= extent.columns) {
      throw ShapeError("an entry at row " + std::to_string(t.row) + ", column " + std::to_string(t.column) +
                       " of a matrix of " + std::to_string(extent.rows) + " rows and " +
                       std::to_string(extent.columns) + " columns");
    }
    ++matrix.row_begin[static_cast<std::size_t>(t.row) + 1];
  }
  for (std::size_t r = 0; r < static_cast<std::size_t>(extent.rows); ++r) {
    matrix.row_begin[r + 1] += matrix.row_begin[r];
  }
  std::vector<std::int64_t> next(matrix.row_begin.begin(), matrix.row_begin.end() - 1);
  std::vector<std::size_t> in_row(triplets.size());
  for (std::size_t k = 0; k < triplets.size(); ++k) {
    in_row[static_cast<std::size_t>(next[static_cast<std::size_t>(triplets[k].row)]++)] = k;
  }
  std::vector<std::int64_t> row_begin{0};
  for (std::size_t r = 0; r < static_cast<std::size_t>(extent.rows); ++r) {
    const auto begin = in_row.begin() + matrix.row_begin[r], end = in_row.begin() + matrix.row_begin[r + 1];
    std::stable_sort(begin, end, [&](std::size_t a, std::size_t b) { return triplets[a].column < triplets[b].column; });
    const std::size_t first = matrix.column.size();
    for (auto k = begin; k != end; ++k) {
      const auto column = static_cast<std::int32_t>(triplets[*k].column);
      if (matrix.column.size() > first && matrix.column.back() == column) {
        matrix.values.back() += triplets[*k].value;
      } else {
        matrix.column.push_back(column);
        matrix.values.push_back(triplets[*k].value);
      }
    }
    row_begin.push_back(matrix.entries());
  }
  matrix.row_begin = std::move(row_begin);
  return matrix;
}

void check_pattern(const SparsityPattern& p, std::size_t values) {
  check_extent({p.rows, p.columns});
  if (p.row_begin.size() != static_cast<std::size_t>(p.rows) + 1 || p.row_begin.front() != 0 ||
      p.row_begin.back() != p.entries() || values != p.column.size()) {
    throw ShapeError("a sparse matrix of " + std::to_string(p.rows) + " rows with " +
                     std::to_string(p.row_begin.size()) + " row begins, " + std::to_string(p.column.size()) +
                     " columns and " + std::to_string(values) +
                     " values; expected rows + 1 begins from 0 to the number of entries");
  }
  for (std::size_t r = 0; r < static_cast<std::size_t>(p.rows); ++r) {
    if (p.row_begin[r] > p.row_begin[r + 1]) {
      throw ShapeError("row " + std::to_string(r) + " of a sparse matrix ends before it begins");
    }
    for (std::int64_t k = p.row_begin[r]; k < p.row_begin[r + 1]; ++k) {
      const std::int32_t column = p.column[static_cast<std::size_t>(k)];
      const bool ascends = k == p.row_begin[r] || p.column[static_cast<std::size_t>(k) - 1] < column;
      if (column >= 0 && column < p.columns && ascends) continue;
      throw ShapeError("row " + std::to_string(r) + " of a sparse matrix has an entry in column " +
                       std::to_string(column) + "; expected ascending columns from 0 to below " +
                       std::to_string(p.columns));
    }
  }
}

template <class T>
std::vector<T> multiply(const CsrMatrix<T>& matrix, std::span<const T> x) {
  if (static_cast<std::int64_t>(x.size()) != matrix.columns) {
    throw ShapeError("a vector of " + std::to_string(x.size()) + " elements for a matrix of " +
                     std::to_string(matrix.columns) + " columns");
  }
  std::vector<T> y(static_cast<std::size_t>(matrix.rows));
  for (std::size_t r = 0; r < y.size(); ++r) {
    for (auto k = static_cast<std::size_t>(matrix.row_begin[r]); k < static_cast<std::size_t>(matrix.row_begin[r + 1]);
         ++k) {
      y[r] += matrix.values[k] * x[static_cast<std::size_t>(matrix.column[k])];
    }
  }
  return y;
}

#define MAXWELL_DG_CSR(T)                                                                   \
  template CsrMatrix<T> from_triplets<T>(const MatrixExtent&, std::span<const Triplet<T>>); \
  template std::vector<T> multiply<T>(const CsrMatrix<T>&, std::span<const T>);
MAXWELL_DG_CSR(float)
MAXWELL_DG_CSR(double)
MAXWELL_DG_CSR(std::complex<float>)
MAXWELL_DG_CSR(std::complex<double>)
#undef MAXWELL_DG_CSR

}  // namespace maxwell_dg::rtcg
