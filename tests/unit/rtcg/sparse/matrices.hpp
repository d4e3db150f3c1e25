#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "rtcg/sparse/csr_matrix.hpp"

namespace maxwell_dg::rtcg {

/// The Laplacian on n^3 points with zeros around them, 7 entries a row.
template <class T>
CsrMatrix<T> poisson(std::int64_t n) {
  std::vector<Triplet<T>> triplets;
  const auto index = [n](std::int64_t x, std::int64_t y, std::int64_t z) { return (z * n + y) * n + x; };
  for (std::int64_t z = 0; z < n; ++z) {
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        const std::int64_t row = index(x, y, z);
        triplets.push_back({row, row, T{6}});
        if (x > 0) triplets.push_back({row, index(x - 1, y, z), T{-1}});
        if (x + 1 < n) triplets.push_back({row, index(x + 1, y, z), T{-1}});
        if (y > 0) triplets.push_back({row, index(x, y - 1, z), T{-1}});
        if (y + 1 < n) triplets.push_back({row, index(x, y + 1, z), T{-1}});
        if (z > 0) triplets.push_back({row, index(x, y, z - 1), T{-1}});
        if (z + 1 < n) triplets.push_back({row, index(x, y, z + 1), T{-1}});
      }
    }
  }
  return from_triplets<T>({n * n * n, n * n * n}, triplets);
}

/// Rows of 0 to `longest` entries, at random places.
template <class T>
CsrMatrix<T> irregular(const MatrixExtent& extent, std::int64_t longest) {
  std::mt19937_64 engine(7);
  std::uniform_int_distribution<std::int64_t> length(0, longest), column(0, extent.columns - 1), value(-8, 8);
  std::vector<Triplet<T>> triplets;
  for (std::int64_t row = 0; row < extent.rows; ++row) {
    for (std::int64_t k = length(engine); k > 0; --k) {
      triplets.push_back({row, column(engine), static_cast<T>(static_cast<float>(value(engine)))});
    }
  }
  return from_triplets<T>(extent, triplets);
}

}  // namespace maxwell_dg::rtcg
