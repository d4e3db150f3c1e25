#pragma once

#include <cstddef>

#include "core/dtype.hpp"
#include "rtcg/compile/compiler.hpp"

/// The text of products of sparse matrices with vectors, y = A x. The first parameter is int64 rows, the last ones are
/// x, int64 x_offset, y, int64 y_offset.
namespace maxwell_dg::rtcg {

struct SparseShape {
  Dtype dtype{};            ///< real or complex, not float16
  bool is_cpu{};            ///< one work-item takes a run of rows, slices or packets
  bool has_long_offsets{};  ///< row and slice begins are int64, else int32
  std::size_t lanes = 1;    ///< CSR: work-items that share a row, on a CPU sums of one; a power of 2, at most 32
  std::size_t at_once = 1;  ///< csr_stream, slices on a GPU: entries of a work-item that are on their way together
  std::size_t slice_rows = 32;
  bool is_sorted{};  ///< slices hold rows by length
  std::size_t packet_rows = 512;
};

inline constexpr std::size_t sparse_group_size = 256;  ///< on a CPU 1
inline constexpr std::size_t sparse_run = 1024;        ///< rows that a work-item of a CPU takes

/// What a block of csr_stream has at most, but for one that is a single longer row.
[[nodiscard]] inline std::size_t block_entries(const SparseShape& shape) {
  return sparse_group_size * shape.at_once;
}
[[nodiscard]] inline std::size_t block_rows(const SparseShape& shape) {
  return block_entries(shape) / 4;
}

/// `csr`: after the rows, begins, columns, values.
[[nodiscard]] KernelSource csr_source(const SparseShape& shape);
/// `csr_stream`: after the rows, block begins, row begins, columns, values; a group of sparse_group_size for each
/// block, also on a CPU. (Greathouse and Daga, "Efficient sparse matrix-vector multiplication on GPUs using the CSR
/// storage format", SC 2014.)
[[nodiscard]] KernelSource csr_stream_source(const SparseShape& shape);
/// `sliced_ell`: after the rows, where sorted row_of, slice begins, columns, values.
[[nodiscard]] KernelSource sliced_ell_source(const SparseShape& shape);
/// `packeted`: after the rows, row_of, slice begins, near, values, rest begins, rest columns, rest values.
[[nodiscard]] KernelSource packeted_source(const SparseShape& shape);

}  // namespace maxwell_dg::rtcg
