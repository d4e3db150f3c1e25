#pragma once

#include <Eigen/SparseCore>

#include "rtcg/sparse/csr_matrix.hpp"

/// Eigen's sparse matrices in and out. Programs that include this link Eigen themselves.
namespace maxwell_dg::rtcg {

/// A copy, whatever its order of storage.
template <class T, int options, class Index>
[[nodiscard]] CsrMatrix<T> from_eigen(const Eigen::SparseMatrix<T, options, Index>& matrix) {
  std::vector<Triplet<T>> triplets;
  triplets.reserve(static_cast<std::size_t>(matrix.nonZeros()));
  for (Eigen::Index k = 0; k < matrix.outerSize(); ++k) {
    for (typename Eigen::SparseMatrix<T, options, Index>::InnerIterator entry(matrix, k); entry; ++entry) {
      triplets.push_back({entry.row(), entry.col(), entry.value()});
    }
  }
  return from_triplets<T>({matrix.rows(), matrix.cols()}, triplets);
}

template <class T>
[[nodiscard]] Eigen::SparseMatrix<T, Eigen::RowMajor, std::int64_t> to_eigen(const CsrMatrix<T>& matrix) {
  std::vector<Eigen::Triplet<T, std::int64_t>> triplets;
  triplets.reserve(matrix.values.size());
  for (std::int64_t r = 0; r < matrix.rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (auto k = static_cast<std::size_t>(matrix.row_begin[row]);
         k < static_cast<std::size_t>(matrix.row_begin[row + 1]); ++k) {
      triplets.emplace_back(r, std::int64_t{matrix.column[k]}, matrix.values[k]);
    }
  }
  Eigen::SparseMatrix<T, Eigen::RowMajor, std::int64_t> result(matrix.rows, matrix.columns);
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

}  // namespace maxwell_dg::rtcg
