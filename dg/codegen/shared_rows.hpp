#pragma once

namespace maxwell_dg::dg {

/// The layout of a group's elements in shared memory: one row for each element, in the order of memory, with a gap
/// after each run of rows. One copy fetches a run.
struct SharedRows {
  int size{};  ///< values of a row
  int run{};   ///< rows
  int gap{};   ///< values
  /// The offset of a row.
  [[nodiscard]] constexpr int offset(int row) const { return row * size + row / run * gap; }
};

/// How the work-items of a warp read rows: each reads `values` values at once; `items_a_row` neighbouring items read
/// neighbouring values of one row, the items after them read the next row.
struct RowReads {
  int values{};
  int items_a_row{};
  int most_without_gaps{};  ///< items that may conflict in a bank, if without gaps all rows arrive by one copy
};

/// The longest runs with the smallest gap for which no two of these items access the same of the 32 banks (of four
/// bytes) of shared memory. There are no gaps if, without them, at most `most_without_gaps` items access one bank.
/// `rows`, a multiple of 4, is the number of rows, `size` the values of each, and `vector` the values of a vector of 16
/// bytes.
[[nodiscard]] SharedRows shared_rows(int rows, int size, int vector, const RowReads& reads);

}  // namespace maxwell_dg::dg
