#pragma once

#include <filesystem>
#include <istream>
#include <string>

#include "rtcg/sparse/csr_matrix.hpp"

namespace maxwell_dg::rtcg {

/// A matrix from a file of the Matrix Market (Boisvert, Pozo, Remington, NISTIR 5935, 1996): coordinates; real,
/// integer, pattern (every entry is 1) or complex; general, symmetric, skew-symmetric or hermitian, of which the file
/// holds the lower triangle. T is float, double, or std::complex of them.
///
/// Throws ConfigError "FILE:LINE: what was found, what was expected": for a file that cannot be read, that ends early
/// or goes on too long, for numbers that are none or outside of the matrix, and for complex entries when T is real.
template <class T>
[[nodiscard]] CsrMatrix<T> read_matrix_market(const std::filesystem::path& file);

/// The same from a stream that errors call `name`.
template <class T>
[[nodiscard]] CsrMatrix<T> read_matrix_market(std::istream& stream, const std::string& name);

}  // namespace maxwell_dg::rtcg
