#include "dg/codegen/shared_rows.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace maxwell_dg::dg {

namespace {

constexpr int banks = 32;

/// The largest number of work-items that access one bank at the same time. Of a warp, as many items read at the same
/// time as 128 bytes serve.
int most_in_a_bank(const SharedRows& rows, int count, int words_a_value, const RowReads& reads) {
  const int words_an_item = reads.values * words_a_value, items = banks / words_an_item;
  int most = 0;
  for (int first = 0; first < count * reads.items_a_row; first += items) {
    std::array<int, banks> accesses{};
    for (int item = first; item < first + items; ++item) {
      const int column = item % reads.items_a_row * reads.values;
      const int word = (rows.offset(item / reads.items_a_row) + column) * words_a_value;
      for (int i = 0; i < words_an_item; ++i) ++accesses.at(static_cast<std::size_t>((word + i) % banks));
    }
    most = std::max(most, std::ranges::max(accesses));
  }
  return most;
}

}  // namespace

SharedRows shared_rows(int rows, int size, int vector, const RowReads& reads) {
  const int words_a_value = 4 / vector;
  const SharedRows as_in_memory{.size = size, .run = rows, .gap = 0};
  if (most_in_a_bank(as_in_memory, rows, words_a_value, reads) <= reads.most_without_gaps) return as_in_memory;
  for (const int run : {4, 2, 1}) {
    for (int gap = vector; gap <= 8; gap += vector) {
      const SharedRows candidate{.size = size, .run = run, .gap = gap};
      if (most_in_a_bank(candidate, rows, words_a_value, reads) == 1) return candidate;
    }
  }
  throw std::logic_error("shared_rows: no gap between rows avoids bank conflicts");
}

}  // namespace maxwell_dg::dg
