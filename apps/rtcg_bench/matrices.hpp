#pragma once

#include "rtcg/sparse/csr_matrix.hpp"

namespace maxwell_dg::bench {

/// On n^3 points, each coupled to those at most one away along the axes (7 points) or in all directions (27); the
/// diagonal makes it positive definite.
enum class Stencil { seven, twenty_seven };
template <class T>
[[nodiscard]] rtcg::CsrMatrix<T> stencil_matrix(std::int64_t n, Stencil stencil);

/// Rows with 4 to 255 entries anywhere, n of them with a likelihood that falls as n^-2.
[[nodiscard]] rtcg::CsrMatrix<float> irregular_matrix(std::int64_t rows);

}  // namespace maxwell_dg::bench
