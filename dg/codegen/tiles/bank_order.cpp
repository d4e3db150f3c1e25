#include "dg/codegen/tiles/bank_order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace maxwell_dg::dg {

namespace {

constexpr std::size_t square = 4;
constexpr double rounding = 1e-9;  // of sums of costs

/// What the conflicts of banks cost one access by these candidates: as many waits as the fullest bank has accesses
/// beyond the first. Each pair of accesses to one bank adds a little, so that an exchange that separates one pair
/// counts as progress even where the fullest bank stays as full. Candidates that access the same offset are served
/// together.
double waits(const SquareAccess& access, std::span<const int> candidates) {
  constexpr double of_two = 1.0 / 64;
  std::array<int, square> in_bank{};
  int meetings = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const int offset = access.offsets[static_cast<std::size_t>(candidates[i])];
    const bool is_shared = std::ranges::any_of(
        candidates.first(i), [&](int other) { return access.offsets[static_cast<std::size_t>(other)] == offset; });
    if (!is_shared) meetings += in_bank.at(static_cast<std::size_t>(offset) % square)++;
  }
  return std::ranges::max(in_bank) - 1 + of_two * meetings;
}

}  // namespace

std::vector<int> order_by_squares(const std::vector<SquareAccess>& accesses, const std::vector<int>& classes) {
  std::vector<std::size_t> end_of_class;  // [candidate]
  for (const int size : classes) {
    const std::size_t end = end_of_class.size() + static_cast<std::size_t>(size);
    end_of_class.resize(end, end);
  }
  const std::size_t count = end_of_class.size();
  for (const SquareAccess& access : accesses) {
    if (access.offsets.size() != count)
      throw std::invalid_argument("order_by_squares: not an offset for each candidate");
  }
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto cost_at = [&](std::size_t i) {
    const std::size_t first = i / square * square;
    const auto candidates = std::span<const int>(order).subspan(first, std::min(square, count - first));
    double cost = 0;
    for (const SquareAccess& access : accesses) cost += access.weight * waits(access, candidates);
    return cost;
  };
  bool is_better = true;
  while (is_better) {
    is_better = false;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = (i / square + 1) * square; j < end_of_class[i]; ++j) {
        const double before = cost_at(i) + cost_at(j);
        std::swap(order[i], order[j]);
        if (cost_at(i) + cost_at(j) < before - rounding) {
          is_better = true;
        } else {
          std::swap(order[i], order[j]);
        }
      }
    }
  }
  return order;
}

}  // namespace maxwell_dg::dg
