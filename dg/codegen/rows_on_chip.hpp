#pragma once

namespace maxwell_dg::dg {

/// How the rows of a group's elements lie on the chip: one after the other, as in memory, but for a gap after each run
/// of rows. A run arrives by one copy.
struct RowsOnChip {
  int size{};  ///< values of a row
  int run{};   ///< rows
  int gap{};   ///< values
  /// Where a row begins.
  [[nodiscard]] constexpr int place(int row) const { return row * size + row / run * gap; }
};

/// How a warp's items read rows: so many values each, at once, and so many items side by side in a row; then come those
/// of the next row.
struct RowReads {
  int values{};
  int items_a_row{};
  int most_without_gaps{};  ///< that may meet in a bank, if rows then arrive by one copy
};

/// The longest runs, and the least gap after them, with which no two of these items meet in one of the 32 banks of four
/// bytes that memory on the chip has; no gaps at all where no more meet without them than may. `rows`, a multiple of 4,
/// of `size` values, in whole vectors of `vector` values of which 16 bytes are one.
[[nodiscard]] RowsOnChip rows_on_chip(int rows, int size, int vector, const RowReads& reads);

}  // namespace maxwell_dg::dg
