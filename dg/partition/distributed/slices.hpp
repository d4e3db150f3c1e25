#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/mpi/exchange.hpp"
#include "dg/mesh/mesh_rows.hpp"

namespace maxwell_dg::dg {

/// Rows 0, 1 ... divided evenly among ranks, in the order of both.
class Slices {
 public:
  Slices(std::size_t rows, int ranks) : rows_(rows), ranks_(static_cast<std::size_t>(ranks)) {}
  [[nodiscard]] std::size_t begin(int rank) const { return rows_ * static_cast<std::size_t>(rank) / ranks_; }
  [[nodiscard]] MeshRows::Piece of(int rank) const { return {begin(rank), begin(rank + 1) - begin(rank)}; }
  [[nodiscard]] std::size_t owner(std::size_t row) const { return (ranks_ * (row + 1) - 1) / rows_; }

 private:
  std::size_t rows_, ranks_;
};

/// Numbers of things, each once, ascending, and where a number stands among them: by a table where they lie close
/// together, as in a mesh that this program has written, else by looking for it.
class NumberSet {
 public:
  NumberSet() = default;
  /// Of numbers in any order, from 0 on, several times each.
  explicit NumberSet(std::span<const std::int32_t> numbers) {
    if (numbers.empty()) return;
    const auto [least, most] = std::ranges::minmax(numbers);
    first_ = least;
    const std::size_t span = index(most - least) + 1;
    if (span > numbers.size()) {
      numbers_.assign(numbers.begin(), numbers.end());
      std::ranges::sort(numbers_);
      numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
      numbers_.shrink_to_fit();
      return;
    }
    place_.assign(span, -1);
    for (const std::int32_t number : numbers) place_[index(number - first_)] = 0;
    for (std::size_t i = 0; i < place_.size(); ++i) {
      if (place_[i] < 0) continue;
      place_[i] = static_cast<std::int32_t>(numbers_.size());
      numbers_.push_back(first_ + static_cast<std::int32_t>(i));
    }
  }

  [[nodiscard]] const std::vector<std::int32_t>& numbers() const { return numbers_; }
  /// -1 where it is none of them.
  [[nodiscard]] std::int32_t place(std::int32_t number) const {
    if (!place_.empty()) {
      return number < first_ || index(number - first_) >= place_.size() ? -1 : place_[index(number - first_)];
    }
    const auto found = std::ranges::lower_bound(numbers_, number);
    return found == numbers_.end() || *found != number ? -1 : static_cast<std::int32_t>(found - numbers_.begin());
  }

 private:
  std::int32_t first_{};
  std::vector<std::int32_t> place_;  ///< [number - first_]; empty: they lie far apart
  std::vector<std::int32_t> numbers_;
};

/// [number] The rows with these numbers, of which each rank has those of its slice. Collective.
template <class Row>
[[nodiscard]] std::vector<Row> fetch(std::span<const std::int32_t> ascending, const Slices& slices,
                                     std::span<const Row> mine, const core::Communicator& ranks) {
  std::vector<std::vector<std::int32_t>> wanted(static_cast<std::size_t>(ranks.size()));
  for (const std::int32_t number : ascending) wanted[slices.owner(index(number))].push_back(number);
  const std::size_t begin = slices.begin(ranks.rank());
  std::vector<std::vector<Row>> answers;
  for (const std::vector<std::int32_t>& numbers : core::exchange(ranks, wanted)) {
    std::vector<Row>& answer = answers.emplace_back();
    answer.reserve(numbers.size());
    for (const std::int32_t number : numbers) answer.push_back(mine[index(number) - begin]);
  }
  std::vector<Row> rows;
  rows.reserve(ascending.size());
  for (const std::vector<Row>& of_rank : core::exchange(ranks, answers)) {
    rows.insert(rows.end(), of_rank.begin(), of_rank.end());
  }
  return rows;
}

}  // namespace maxwell_dg::dg
