#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtcg/sparse/csr_matrix.hpp"

/// Other ways to lay out a sparse matrix, as places: `source` says which entry of the CSR matrix stands where, -1 none.
namespace maxwell_dg::rtcg {

/// Where blocks of whole rows begin, the last block's end included: each as large as `most_rows` and `most_entries` let
/// it be; a row with more entries is a block of its own.
[[nodiscard]] std::vector<std::int64_t> row_blocks(const SparsityPattern& pattern, std::int64_t most_rows,
                                                   std::int64_t most_entries);

enum class RowOrder { given, by_length };

/// Slices of rows side by side: place (k, lane) of slice s is at (slice_begin[s] + k) * slice_rows + lane (SELL-C-sigma
/// of Kreutzer et al., SIAM J. Sci. Comput. 36 (2014) C401; sigma is 1, or all rows). The longest rows come first where
/// they are sorted, those of one length as they were.
struct SlicedEll {
  std::size_t slice_rows = 0;
  std::vector<std::int32_t> row_of;  ///< [rows] in lane l of slice s is row_of[s * slice_rows + l]; empty: given order
  std::vector<std::int64_t> slice_begin;  ///< [slices + 1]
  std::vector<std::int32_t> column;       ///< [places], -1 where there is none
  std::vector<std::int64_t> source;       ///< [places]
};
/// Sorted, of at most 2^31 - 1 rows.
[[nodiscard]] SlicedEll sliced_ell(const SparsityPattern& pattern, std::size_t slice_rows,
                                   RowOrder order = RowOrder::given);

/// The packets of Bell and Garland, "Efficient sparse matrix-vector multiplication on CUDA", NVIDIA NVR-2008-004,
/// section 4.5. Rows that are near each other make a packet, whose part of x a group keeps in shared memory; entries
/// within packets then need 16 bits to say where. A packet is laid out as slices. What couples packets is left over, by
/// rows.
struct Packets {
  std::size_t packet_rows = 0, slice_rows = 0;
  std::vector<std::int32_t> row_of;       ///< [packets * packet_rows], -1: none
  std::vector<std::int64_t> slice_begin;  ///< [packets * packet_rows / slice_rows + 1]
  std::vector<std::uint16_t> near;        ///< [places] column within the packet; 0xffff where there is none
  std::vector<std::int64_t> source;       ///< [places]
  std::vector<std::int64_t> rest_begin;   ///< [packets * packet_rows + 1]
  std::vector<std::int32_t> rest_column;
  std::vector<std::int64_t> rest_source;
};
/// Of a square matrix. Packets grow along the entries, breadth first.
[[nodiscard]] Packets packeted(const SparsityPattern& pattern, std::size_t packet_rows, std::size_t slice_rows);

}  // namespace maxwell_dg::rtcg
