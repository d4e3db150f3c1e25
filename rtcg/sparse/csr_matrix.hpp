#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

/// Sparse matrices on the host.
namespace maxwell_dg::rtcg {

/// Where entries are, row by row: those of row r are row_begin[r] to before row_begin[r + 1].
struct SparsityPattern {
  std::int64_t rows = 0, columns = 0;
  std::vector<std::int64_t> row_begin{0};  ///< [rows + 1]
  std::vector<std::int32_t> column;        ///< [entries], ascending in each row

  [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(column.size()); }
};

/// Compressed sparse rows. T is float, double, or std::complex of them.
template <class T>
struct CsrMatrix : SparsityPattern {
  std::vector<T> values;  ///< [entries]
};

template <class T>
struct Triplet {
  std::int64_t row = 0, column = 0;
  T value{};
};

struct MatrixExtent {
  std::int64_t rows = 0, columns = 0;
};

/// Entries in any order; those at one place are added. Throws ShapeError for one outside of the matrix, and for more
/// than 2^31 - 1 columns.
template <class T>
[[nodiscard]] CsrMatrix<T> from_triplets(const MatrixExtent& extent, std::span<const Triplet<T>> triplets);

/// Throws ShapeError naming what does not fit: lengths, order of rows, columns outside, not ascending.
void check_pattern(const SparsityPattern& pattern, std::size_t values);

/// y = A x on the host, in T's own precision.
template <class T>
[[nodiscard]] std::vector<T> multiply(const CsrMatrix<T>& matrix, std::span<const T> x);

}  // namespace maxwell_dg::rtcg
