#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "rtcg/array/device_array.hpp"
#include "rtcg/sparse/csr_matrix.hpp"

namespace maxwell_dg::rtcg {

/// How a matrix is laid out on the device, see rtcg/sparse/formats.hpp.
enum class SparseFormat {
  automatic,  ///< the one whose product is seen to be fastest; asked once per device and kind of matrix, see Tuner
  csr,
  csr_stream,  ///< blocks of rows with like numbers of entries, for GPUs and rows unlike in length
  sliced_ell,
  sorted_ell,  ///< slices of rows by length, the longest first; at most 2^31 - 1 rows
  packeted     ///< square matrices
};

/// A sparse matrix on a device, of float32, float64, complex64 or complex128. A cheap handle; thread-safe.
class SparseMatrix {
 public:
  struct Options {
    SparseFormat format = SparseFormat::automatic;
    std::filesystem::path wisdom_directory{};  ///< of the choice; empty: as Tuner
    double tuning_seconds = 20;
  };
  /// Throws ShapeError for a pattern that is none, packets of a matrix that is not square, too many rows to sort.
  template <class T>
  SparseMatrix(const Context& context, const CsrMatrix<T>& matrix, const Options& options);
  template <class T>
  SparseMatrix(const Context& context, const CsrMatrix<T>& matrix) : SparseMatrix(context, matrix, Options{}) {}

  [[nodiscard]] const Context& context() const;
  [[nodiscard]] std::int64_t rows() const;
  [[nodiscard]] std::int64_t columns() const;
  [[nodiscard]] std::int64_t entries() const;
  [[nodiscard]] Dtype dtype() const;
  [[nodiscard]] std::string variant() const;       ///< "csr, 8 lanes", "sorted_ell, 2 at once", "packeted"
  [[nodiscard]] std::size_t matrix_bytes() const;  ///< that a product reads besides x

  /// y = A x, enqueued. y must be contiguous and share no memory with x. Throws DtypeError, ShapeError, ArrayError.
  void multiply(const DeviceArray& x, const DeviceArray& y) const;
  /// A x
  [[nodiscard]] DeviceArray operator()(const DeviceArray& x) const;

  /// Entries (r, r) of a square matrix, 0 where there is none. Throws ShapeError.
  [[nodiscard]] const DeviceArray& diagonal() const;
  /// The first row whose entry on the diagonal is not a real number above 0; -1: there is none.
  [[nodiscard]] std::int64_t row_without_positive_diagonal() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace maxwell_dg::rtcg
